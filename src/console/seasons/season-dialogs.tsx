import { plain } from '../../pages/parts/text.ts';
import { against, api, ask, type Shapes } from '../api.ts';
import { type Draft, useDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { daysBetween, instantOf, localOf } from '../parts/instants.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { type Read, useGet } from '../read.ts';
import { Edit } from './edit.tsx';
import { strings } from './strings.ts';

const texts = strings.seasons;

type Season = Shapes['Season'];
type SeasonField = 'name' | 'startsAt' | 'endsAt';

interface DialogProps {
  /** Reads the list again. */
  reload(): void;
  onClose(): void;
}

function Fields({ draft }: { draft: Draft<SeasonField> }) {
  const days = daysBetween(draft.value('startsAt'), draft.value('endsAt'));
  return (
    <>
      <Field label={texts.name} field="name" draft={draft} required />
      <Field
        label={texts.startsAt}
        field="startsAt"
        draft={draft}
        type="datetime-local"
        required
        hint={texts.startsHint}
      />
      <Field
        label={texts.endsAt}
        field="endsAt"
        draft={draft}
        type="datetime-local"
        required
        hint={[days === null ? '' : `${texts.length(days)} `, texts.endsHint].join('')}
      />
    </>
  );
}

/** Makes a season. */
export function NewSeason({ reload, onClose }: DialogProps) {
  const draft = useDraft<SeasonField>({ name: '', startsAt: '', endsAt: '' });
  const send = async () => {
    const body = {
      name: draft.value('name').trim(),
      startsAt: instantOf(draft.value('startsAt')),
      endsAt: instantOf(draft.value('endsAt')),
    };
    const { problem } = await ask(api.POST('/seasons', { body }));
    reload();
    return problem;
  };
  return (
    <Edit
      title={texts.new}
      action={texts.create}
      done={texts.created}
      isReady={draft.isChanged}
      send={send}
      onClose={onClose}
    >
      <p>{texts.createText}</p>
      <Fields draft={draft} />
    </Edit>
  );
}

function changeOf({ name, startsAt, endsAt }: Draft<SeasonField>['changes']): Shapes['SeasonChange'] {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(startsAt !== undefined && { startsAt: instantOf(startsAt) }),
    ...(endsAt !== undefined && { endsAt: instantOf(endsAt) }),
  };
}

function ChangeRead({ season, read, ...props }: DialogProps & { season: Season; read: Read<Season> }) {
  const draft = useDraft<SeasonField>({
    name: season.name,
    startsAt: localOf(season.startsAt),
    endsAt: localOf(season.endsAt),
  });
  const send = async () => {
    const params = { path: { seasonGuid: season.seasonGuid }, header: against(read.etag) };
    const { problem } = await ask(
      api.PATCH('/seasons/{seasonGuid}', { params, body: changeOf(draft.changes) }),
    );
    read.reload();
    props.reload();
    return problem;
  };
  return (
    <Edit
      title={texts.changeTitle(plain(season.name))}
      action={texts.save}
      done={texts.changed}
      // Once it was read, a change can be compared with what is there.
      isReady={read.etag !== null && draft.isChanged}
      send={send}
      onClose={props.onClose}
    >
      <p>{texts.changeText}</p>
      <Fields draft={draft} />
      <ProblemNote problem={read.problem} onRetry={read.reload} />
    </Edit>
  );
}

/** Changes a season, which is read first. */
export function ChangeSeason({ season, ...props }: DialogProps & { season: Season }) {
  const { seasonGuid } = season;
  const read = useGet('/seasons/{seasonGuid}', { path: { seasonGuid } });
  return <ChangeRead season={read.data ?? season} read={read} {...props} />;
}
