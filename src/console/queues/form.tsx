import type { ComponentProps } from 'preact';
import { useRef } from 'preact/hooks';
import { pressable } from '../../pages/parts/press.ts';
import { plain } from '../../pages/parts/text.ts';
import { against, api, ask, type Problem, type Shapes } from '../api.ts';
import { type Draft, useKeptDraft } from '../parts/draft.ts';
import { Field, Overtaken } from '../parts/field.tsx';
import { notify } from '../parts/notices.tsx';
import { numberOrText } from '../parts/number.ts';
import { has, useOutcome } from '../parts/outcome.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Select } from '../parts/select.tsx';
import { useSending } from '../parts/sending.ts';
import type { Read } from '../read.ts';
import {
  discardsText,
  pairingText,
  RULE_FIELDS,
  type RuleName,
  ruleFault,
  type TypedPairing,
} from './meaning.ts';
import { strings } from './strings.ts';
import { poolOption, usePools } from './things.ts';

const texts = strings.form;

type Queue = Shapes['Queue'];
type QueueField =
  | 'name'
  | 'poolGuid'
  | 'initialGap'
  | 'gapPerSecond'
  | 'maxGap'
  | 'maxDiscards'
  | 'replaysRequired';

const storedOf = ({ name, poolGuid, rules }: Queue): Record<QueueField, string> => ({
  name,
  poolGuid,
  initialGap: String(rules.pairing.initialGap),
  gapPerSecond: String(rules.pairing.gapPerSecond),
  maxGap: rules.pairing.maxGap === null ? '' : String(rules.pairing.maxGap),
  maxDiscards: String(rules.maxDiscards),
  replaysRequired: rules.replaysRequired ? 'yes' : 'no',
});

/** The members that were changed, and no others: changes that somebody else made in other members stay. */
function changeOf(changes: Draft<QueueField>['changes']): Shapes['QueueChange'] {
  const { name, poolGuid, initialGap, gapPerSecond, maxGap, maxDiscards, replaysRequired } = changes;
  const pairing = {
    ...(initialGap !== undefined && { initialGap: numberOrText(initialGap) }),
    ...(gapPerSecond !== undefined && { gapPerSecond: numberOrText(gapPerSecond) }),
    ...(maxGap !== undefined && { maxGap: maxGap.trim() === '' ? null : numberOrText(maxGap) }),
  };
  const rules = {
    ...(maxDiscards !== undefined && { maxDiscards: numberOrText(maxDiscards) }),
    ...(replaysRequired !== undefined && { replaysRequired: replaysRequired === 'yes' }),
    ...(Object.keys(pairing).length > 0 && { pairing }),
  };
  return {
    ...(name !== undefined && { name }),
    ...(poolGuid !== undefined && { poolGuid }),
    ...(Object.keys(rules).length > 0 && { rules }),
  };
}

const pairingOf = ({ value }: Draft<QueueField>): TypedPairing => ({
  initialGap: value('initialGap'),
  gapPerSecond: value('gapPerSecond'),
  maxGap: value('maxGap'),
});

/** What is wrong with what was typed, by field. */
const faultsOf = ({ value }: Draft<QueueField>): { path: RuleName; message: string }[] =>
  RULE_FIELDS.flatMap((field) => {
    const message = ruleFault(field, value(field));
    return message === undefined ? [] : [{ path: field, message }];
  });

/** The problem of values that the service would refuse; null: there is none. */
function faultIn(draft: Draft<QueueField>): Problem | null {
  const fields = faultsOf(draft);
  const [first] = fields;
  if (first === undefined) return null;
  const { message } = first;
  return { kind: 'refused', code: 'VALIDATION_FAILED', message, details: { fields }, retryAfterMs: 0 };
}

/** Whether the rules of pairing have a meaning together. */
const isPairing = (draft: Draft<QueueField>): boolean =>
  faultsOf(draft).every(({ path }) => path === 'maxDiscards');

/** A number among the rules, with what is wrong with it. */
const RuleField = (field: Omit<ComponentProps<typeof Field<QueueField>>, 'label'> & { field: RuleName }) => (
  <Field
    {...field}
    label={texts[field.field]}
    fault={ruleFault(field.field, field.draft.value(field.field))}
  />
);

/** The rules, and in words what they mean while they are typed. */
const Rules = ({ draft }: { draft: Draft<QueueField> }) => (
  <>
    <RuleField field="initialGap" draft={draft} required inputMode="numeric" />
    <RuleField field="gapPerSecond" draft={draft} required inputMode="decimal" />
    <RuleField
      field="maxGap"
      draft={draft}
      inputMode="numeric"
      hint={<span aria-live="polite">{isPairing(draft) && pairingText(pairingOf(draft))}</span>}
    />
    <RuleField
      field="maxDiscards"
      draft={draft}
      required
      inputMode="numeric"
      hint={discardsText(draft.value('maxDiscards'))}
    />
    <label>
      {texts.replaysRequired}
      <Select
        name="replaysRequired"
        value={draft.value('replaysRequired')}
        set={(value) => draft.set('replaysRequired', value)}
        options={[
          { value: 'no', text: texts.no },
          { value: 'yes', text: texts.yes },
        ]}
      />
      <span class="quiet">
        {draft.value('replaysRequired') === 'yes' ? strings.meaning.replays.yes : strings.meaning.replays.no}
      </span>
    </label>
  </>
);

interface FormProps {
  queue: Queue;
  /** The name of its pool, which may be retired. */
  poolName: string;
  seasonName(seasonGuid: string): string;
  read: Pick<Read<Queue>, 'etag' | 'reload'>;
}

/** Which pool the matches are dealt from. */
function PoolField({
  draft,
  queue,
  poolName,
  seasonName,
}: Omit<FormProps, 'read'> & { draft: Draft<QueueField> }) {
  const pools = usePools('published');
  const isClosed = queue.status === 'closed';
  const published = pools.data?.items ?? [];
  const isOwnThere = published.some(({ poolGuid }) => poolGuid === queue.poolGuid);
  return (
    <>
      <label>
        {texts.pool}
        <Select
          name="poolGuid"
          value={draft.value('poolGuid')}
          set={(value) => draft.set('poolGuid', value)}
          options={[
            ...(isOwnThere ? [] : [{ value: queue.poolGuid, text: plain(poolName) }]),
            ...published
              .filter(({ seasonGuid }) => isClosed || seasonGuid === queue.seasonGuid)
              .map((pool) => poolOption(pool, seasonName)),
          ]}
        />
        <span class="quiet">{isClosed ? texts.poolClosed : texts.poolOpen}</span>
        <Overtaken
          field="poolGuid"
          draft={draft}
          nameOf={(stored) => published.find(({ poolGuid }) => poolGuid === stored)?.name ?? stored}
        />
      </label>
      <ProblemNote problem={pools.problem} onRetry={pools.reload} />
    </>
  );
}

/** Changes name, pool and rules of a queue. Typed values are never lost. */
export function QueueForm({ read, ...shown }: FormProps) {
  const { queue } = shown;
  const draft = useKeptDraft(`queues/${queue.queueGuid}`, storedOf(queue));
  const outcome = useOutcome();
  const form = useRef<HTMLFormElement>(null);
  const { isSending, problem, submit } = useSending(async () => {
    const { changes } = draft;
    const path = { queueGuid: queue.queueGuid };
    const fault = faultIn(draft);
    if (fault !== null) {
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      read.reload();
      return fault;
    }
    const body = changeOf(changes);
    const answer = await outcome({
      send: () =>
        ask(api.PATCH('/queues/{queueGuid}', { params: { path, header: against(read.etag) }, body })),
      now: () => ask(api.GET('/queues/{queueGuid}', { params: { path } })),
      isDone: (now) => has(now, body),
    });
    if (answer.problem === null) {
      draft.sent(changes);
      notify(texts.done);
    }
    read.reload();
    return answer.problem;
  });
  return (
    <section>
      <h2>{texts.title}</h2>
      <form ref={form} class="stacked" data-form="change" onSubmit={submit}>
        <Field label={texts.name} field="name" draft={draft} required />
        <PoolField draft={draft} {...shown} />
        <Rules draft={draft} />
        <p class="quiet">{texts.apply}</p>
        {/* A change whose answer was lost may be stored meanwhile. */}
        <ProblemNote problem={draft.isChanged ? problem : null} />
        <p class="actions">
          <button type="submit" {...pressable(!isSending && draft.isChanged)}>
            {texts.action}
          </button>
          {draft.isChanged && (
            <button type="button" class="plain" onClick={draft.clear}>
              {texts.undo}
            </button>
          )}
        </p>
      </form>
    </section>
  );
}

/** The rules in words, for those who may not change them. */
export const RulesInWords = ({ queue }: { queue: Queue }) => {
  const stored = storedOf(queue);
  return (
    <section>
      <h2>{texts.readOnly}</h2>
      <p>{pairingText(stored)}</p>
      <p>{discardsText(stored.maxDiscards)}</p>
      <p>{queue.rules.replaysRequired ? strings.meaning.replays.yes : strings.meaning.replays.no}</p>
    </section>
  );
};
