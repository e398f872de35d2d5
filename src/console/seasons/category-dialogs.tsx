import { POSITION_BOUNDS } from '../../pages/parts/rules.ts';
import { plain } from '../../pages/parts/text.ts';
import { against, api, ask, type Shapes } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { type Draft, useDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { notify } from '../parts/notices.tsx';
import { numberFault, numberOrText } from '../parts/number.ts';
import { deleteThing, has } from '../parts/outcome.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { useGet } from '../read.ts';
import { type DialogProps, Edit } from './edit.tsx';
import { strings } from './strings.ts';

const texts = strings.categories;

type Category = Shapes['MapCategory'];
type CategoryField = 'name' | 'color' | 'position';

const COLOR = /^#[0-9a-f]{6}$/i;

/** A square in this colour; nothing for an invalid colour. */
export const Swatch = ({ color }: { color: string | null }) =>
  color !== null &&
  COLOR.test(color) && (
    <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
      <rect width={10} height={10} fill={color} />
    </svg>
  );

const colorFault = (text: string) =>
  text.trim() === '' || COLOR.test(text.trim()) ? undefined : texts.colorFault;
const positionFault = (text: string) =>
  text.trim() === '' ? undefined : numberFault(texts.position, text, POSITION_BOUNDS);

const Fields = ({ draft }: { draft: Draft<CategoryField> }) => (
  <>
    <Field label={texts.name} field="name" draft={draft} required />
    <Field
      label={texts.color}
      field="color"
      draft={draft}
      fault={colorFault(draft.value('color'))}
      hint={
        <>
          <Swatch color={draft.value('color')} />
          {texts.colorHint}
        </>
      }
    />
    <Field
      label={texts.position}
      field="position"
      draft={draft}
      inputMode="numeric"
      fault={positionFault(draft.value('position'))}
      hint={texts.positionHint}
    />
  </>
);

/** As the service stores it. */
const colorOf = (text: string): string | null => (text.trim() === '' ? null : text.trim().toUpperCase());

/** Makes a category. */
export function NewCategory(dialog: DialogProps) {
  const draft = useDraft<CategoryField>({ name: '', color: '', position: '' });
  const sending = () => {
    const position = draft.value('position').trim();
    const body = {
      name: draft.value('name').trim(),
      color: colorOf(draft.value('color')),
      ...(position !== '' && { position: numberOrText(position) }),
    };
    return {
      send: () => ask(api.POST('/map-categories', { body })),
      now: () => ask(api.GET('/map-categories', { params: { query: { limit: 100 } } })),
      isDone: (category: Category) => has(category, body),
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

function changeOf({ name, color, position }: Draft<CategoryField>['changes']): Shapes['MapCategoryChange'] {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(color !== undefined && { color: colorOf(color) }),
    ...(position !== undefined && position.trim() !== '' && { position: numberOrText(position) }),
  };
}

/** Changes a category, which is read first. */
export function ChangeCategory({ category: listed, ...dialog }: DialogProps & { category: Category }) {
  const path = { categoryGuid: listed.categoryGuid };
  const read = useGet('/map-categories/{categoryGuid}', { path });
  const category = read.data ?? listed;
  const draft = useDraft<CategoryField>({
    name: category.name,
    color: category.color ?? '',
    position: String(category.position),
  });
  const sending = () => {
    const body = changeOf(draft.changes);
    return {
      send: () =>
        ask(
          api.PATCH('/map-categories/{categoryGuid}', {
            params: { path, header: against(read.etag) },
            body,
          }),
        ),
      now: () => ask(api.GET('/map-categories/{categoryGuid}', { params: { path } })),
      isDone: (now: Category) => has(now, body),
    };
  };
  return (
    <Edit
      {...dialog}
      title={texts.changeTitle(plain(category.name))}
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

/** Deletes a category; one that is in use stays, and the service says by how many maps. */
export function DeleteCategory({ category, reload, onClose }: DialogProps & { category: Category }) {
  const path = { categoryGuid: category.categoryGuid };
  const read = useGet('/map-categories/{categoryGuid}', { path });
  const send = async () => {
    const { problem } = await deleteThing({
      send: () =>
        ask(api.DELETE('/map-categories/{categoryGuid}', { params: { path, header: against(read.etag) } })),
      now: () => ask(api.GET('/map-categories/{categoryGuid}', { params: { path } })),
      notFound: 'CATEGORY_NOT_FOUND',
    });
    if (problem === null) notify(texts.deleted);
    else read.reload();
    reload();
    return problem;
  };
  return (
    <Ask
      title={texts.deleteTitle(plain(category.name))}
      action={texts.deleteAction}
      isReady={read.etag !== null}
      send={send}
      onClose={onClose}
    >
      <p>{texts.deleteText(plain(category.name))}</p>
      <ProblemNote problem={read.problem} onRetry={read.reload} />
    </Ask>
  );
}
