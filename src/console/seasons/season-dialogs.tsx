import { plain } from '../../pages/parts/text.ts';
import { against, api, ask, type Shapes } from '../api.ts';
import { type Draft, useDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { daysBetween, instantOf, localOf } from '../parts/instants.ts';
import { has } from '../parts/outcome.ts';
import { useGet } from '../read.ts';
import { type DialogProps, Edit } from './edit.tsx';
import { strings } from './strings.ts';

const texts = strings.seasons;

type Season = Shapes['Season'];
type SeasonField = 'name' | 'startsAt' | 'endsAt';

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
        min={draft.value('startsAt')}
        hint={[days === null ? '' : `${texts.length(days)} `, texts.endsHint].join('')}
      />
    </>
  );
}

/** Makes a season. */
export function NewSeason(dialog: DialogProps) {
  const draft = useDraft<SeasonField>({ name: '', startsAt: '', endsAt: '' });
  const sending = () => {
    const body = {
      name: draft.value('name').trim(),
      startsAt: instantOf(draft.value('startsAt')),
      endsAt: instantOf(draft.value('endsAt')),
    };
    return {
      send: () => ask(api.POST('/seasons', { body })),
      now: () => ask(api.GET('/seasons', { params: { query: { limit: 100 } } })),
      isDone: (season: Season) => has(season, body),
    };
  };
  return (
    <Edit
      {...dialog}
      title={texts.new}
      action={texts.create}
      done={texts.created}
      isChanged={draft.isChanged}
      sending={sending}
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

/** Changes a season, which is read first. */
export function ChangeSeason({ season: listed, ...dialog }: DialogProps & { season: Season }) {
  const path = { seasonGuid: listed.seasonGuid };
  const read = useGet('/seasons/{seasonGuid}', { path });
  const season = read.data ?? listed;
  const draft = useDraft<SeasonField>({
    name: season.name,
    startsAt: localOf(season.startsAt),
    endsAt: localOf(season.endsAt),
  });
  const sending = () => {
    const body = changeOf(draft.changes);
    return {
      send: () =>
        ask(api.PATCH('/seasons/{seasonGuid}', { params: { path, header: against(read.etag) }, body })),
      now: () => ask(api.GET('/seasons/{seasonGuid}', { params: { path } })),
      isDone: (now: Season) => has(now, body),
    };
  };
  return (
    <Edit
      {...dialog}
      title={texts.changeTitle(plain(season.name))}
      action={texts.save}
      done={texts.changed}
      isChanged={draft.isChanged}
      read={read}
      sending={sending}
    >
      <p>{texts.changeText}</p>
      <Fields draft={draft} />
    </Edit>
  );
}
