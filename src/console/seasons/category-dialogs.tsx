import { plain } from '../../pages/parts/text.ts';
import { against, api, ask, type Shapes } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { type Draft, useDraft } from '../parts/draft.ts';
import { Field } from '../parts/field.tsx';
import { notify } from '../parts/notices.tsx';
import { numberOrText } from '../parts/number.ts';
import { deleteThing, has, useOutcome } from '../parts/outcome.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { type Read, useGet } from '../read.ts';
import { Edit } from './edit.tsx';
import { strings } from './strings.ts';

const texts = strings.categories;

type Category = Shapes['MapCategory'];
type CategoryField = 'name' | 'color' | 'position';

interface DialogProps {
  /** Reads the list again. */
  reload(): void;
  onClose(): void;
}

/** A square in this colour; nothing for an invalid colour. */
export const Swatch = ({ color }: { color: string | null }) =>
  color !== null &&
  /^#[0-9a-f]{6}$/i.test(color) && (
    <svg class="dot" viewBox="0 0 10 10" aria-hidden="true">
      <rect width={10} height={10} fill={color} />
    </svg>
  );

const Fields = ({ draft }: { draft: Draft<CategoryField> }) => (
  <>
    <Field label={texts.name} field="name" draft={draft} required />
    <Field
      label={texts.color}
      field="color"
      draft={draft}
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
      hint={texts.positionHint}
    />
  </>
);

/** As the service stores it. */
const colorOf = (text: string): string | null => (text.trim() === '' ? null : text.trim().toUpperCase());

/** Makes a category. */
export function NewCategory({ reload, onClose }: DialogProps) {
  const draft = useDraft<CategoryField>({ name: '', color: '', position: '' });
  const outcome = useOutcome();
  const send = async () => {
    const position = draft.value('position').trim();
    const body = {
      name: draft.value('name').trim(),
      color: colorOf(draft.value('color')),
      ...(position.trim() !== '' && { position: numberOrText(position) }),
    };
    const { problem } = await outcome({
      send: () => ask(api.POST('/map-categories', { body })),
      now: () => ask(api.GET('/map-categories', { params: { query: { limit: 100 } } })),
      isDone: (category) => has(category, body),
    });
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

function changeOf({ name, color, position }: Draft<CategoryField>['changes']): Shapes['MapCategoryChange'] {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(color !== undefined && { color: colorOf(color) }),
    ...(position !== undefined && position.trim() !== '' && { position: numberOrText(position) }),
  };
}

const useCategory = ({ categoryGuid }: Category) =>
  useGet('/map-categories/{categoryGuid}', { path: { categoryGuid } });

function ChangeRead({
  category,
  read,
  ...props
}: DialogProps & { category: Category; read: Read<Category> }) {
  const draft = useDraft<CategoryField>({
    name: category.name,
    color: category.color ?? '',
    position: String(category.position),
  });
  const outcome = useOutcome();
  const send = async () => {
    const path = { categoryGuid: category.categoryGuid };
    const body = changeOf(draft.changes);
    const { problem } = await outcome({
      send: () =>
        ask(
          api.PATCH('/map-categories/{categoryGuid}', {
            params: { path, header: against(read.etag) },
            body,
          }),
        ),
      now: () => ask(api.GET('/map-categories/{categoryGuid}', { params: { path } })),
      isDone: (now) => has(now, body),
    });
    read.reload();
    props.reload();
    return problem;
  };
  return (
    <Edit
      title={texts.changeTitle(plain(category.name))}
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

/** Changes a category, which is read first. */
export function ChangeCategory({ category, ...props }: DialogProps & { category: Category }) {
  const read = useCategory(category);
  return <ChangeRead category={read.data ?? category} read={read} {...props} />;
}

/** Deletes a category; one that is in use stays, and the service says by how many maps. */
export function DeleteCategory({ category, reload, onClose }: DialogProps & { category: Category }) {
  const read = useCategory(category);
  const send = async () => {
    const path = { categoryGuid: category.categoryGuid };
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
    </Ask>
  );
}
