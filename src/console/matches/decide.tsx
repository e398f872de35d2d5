import { useEffect, useRef, useState } from 'preact/hooks';
import { type Answer, against, api, ask, type Problem } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { type Match, seatName, titleOf } from '../parts/match-words.ts';
import { notify } from '../parts/notices.tsx';
import { asStored } from '../parts/once.ts';
import { useOutcome } from '../parts/outcome.ts';
import type { Read } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as common } from '../strings.ts';
import { type Decision, NO_CONTEST, Preview, usePreview } from './preview.tsx';
import { strings } from './strings.ts';

const texts = strings.decide;

type Action = 'abort' | 'decide' | 'undo';

interface DialogProps {
  match: Match;
  read: Pick<Read<Match>, 'etag' | 'reload'>;
  onClose(): void;
}

const isSame = (one: Decision, other: Decision): boolean =>
  one.outcome === other.outcome && one.winnerGuid === other.winnerGuid;

/** Whether an action has nothing left to do in this match. */
const IS_DONE: Record<Action, (match: Match, decision: Decision) => boolean> = {
  abort: ({ result }) => result?.reason === 'aborted_by_staff',
  decide: ({ result }, decision) =>
    result?.reason === 'decided_by_staff' &&
    isSame({ ...result, outcome: result.outcome === 'decided' ? 'win' : result.outcome }, decision),
  undo: ({ result }) => result?.outcome === 'no_contest',
};

/** Sends a decision about the match as it was read. */
function send(
  action: Action,
  { matchGuid }: Match,
  etag: string | null,
  body: { reason: string } & Decision,
): Promise<Answer<Match>> {
  const params = { path: { matchGuid }, header: against(etag) };
  const { reason } = body;
  const sent = {
    abort: () => api.POST('/matches/{matchGuid}/abort', { params, body: { reason } }),
    decide: () => api.POST('/matches/{matchGuid}/result', { params, body }),
    undo: () => api.POST('/matches/{matchGuid}/undo', { params, body: { reason } }),
  };
  return ask(sent[action]());
}

const RECORDED_AS: readonly string[] = ['abortMatch', 'decideMatch', 'undoMatch'];

/** Reads the reason of the last decision about a match. Deciding it again in the same way leaves that reason. */
async function storedReason({ matchGuid }: Match): Promise<{ reason?: string; problem: Problem | null }> {
  const query = { target: `/matches/${matchGuid}`, limit: 20 };
  const { data, problem } = await ask(api.GET('/audit-log', { params: { query } }));
  const last = data?.items.find(({ action }) => RECORDED_AS.includes(action));
  return { ...(last?.after as { reason?: string } | undefined), problem };
}

const standing = (reason: string): Problem => ({
  kind: 'refused',
  code: '',
  message: texts.standing(reason),
  details: undefined,
  retryAfterMs: 0,
});

/** The texts of a dialog, and its request. When somebody else was faster, the dialog shows the match as it is now. */
function useDecision(action: Action, { match, read }: DialogProps, decision: Decision) {
  const preview = usePreview(match.matchGuid, read.etag, decision);
  const isStale = preview.problem?.code === 'STALE';
  useEffect(() => {
    if (isStale) read.reload();
  }, [isStale]);
  const first = useRef(read.etag);
  const outcome = useOutcome();
  /** The decision that is carried out, and whose stored reason could not be read. */
  const [unread, setUnread] = useState<Decision | null>(null);
  const isUnread = unread === decision;
  return {
    preview: { ...preview, reload: isStale ? read.reload : preview.reload },
    hasMoved: first.current !== read.etag,
    isReady: isUnread || (preview.data !== null && preview.problem === null && !preview.isLoading),
    isUnread,
    submit: async (reason: string): Promise<Problem | null> => {
      const { matchGuid } = match;
      if (!isUnread) {
        const { problem } = await outcome({
          send: () => send(action, match, read.etag, { ...decision, reason }),
          now: () => ask(api.GET('/matches/{matchGuid}', { params: { path: { matchGuid } } })),
          isDone: (now) => IS_DONE[action](now, decision),
        });
        read.reload();
        if (problem !== null) return problem;
      }
      const stored = await storedReason(match);
      setUnread(stored.problem && decision);
      if (stored.problem !== null) return stored.problem;
      if (stored.reason !== undefined && stored.reason !== asStored(reason)) return standing(stored.reason);
      notify(texts[action].done);
      return null;
    },
  };
}

const Moved = () => (
  <p role="status" data-moved="">
    {texts.moved}
  </p>
);

/**
 * Takes a match out of everything that counts: a running one is aborted, the result of an ended one undone. When that has
 * become impossible meanwhile, the dialog says so.
 */
function NoContestDialog({ action, ...props }: DialogProps & { action: 'abort' | 'undo' }) {
  const { preview, isReady, isUnread, hasMoved, submit } = useDecision(action, props, NO_CONTEST);
  const isDone = IS_DONE[action](props.match, NO_CONTEST);
  const isOver = isDone || (action === 'abort' && props.match.endedAt !== null);
  const { title, action: verb, text } = texts[action];
  return (
    <Ask
      title={title(titleOf(props.match))}
      action={isUnread ? common.retry : verb}
      needsReason
      isReady={isReady && (isUnread || !isOver)}
      send={submit}
      onClose={props.onClose}
    >
      {hasMoved && <Moved />}
      {isOver ? (
        <p data-over="">{isDone ? texts[action].done : texts.ended}</p>
      ) : (
        <>
          <p>{text}</p>
          <Preview preview={preview} />
        </>
      )}
    </Ask>
  );
}

const choicesOf = (match: Match): { label: string; decision: Decision }[] => [
  ...match.players.map(({ playerGuid }, index) => ({
    label: texts.win(seatName(match, index)),
    decision: { outcome: 'win' as const, winnerGuid: playerGuid },
  })),
  { label: texts.draw, decision: { outcome: 'draw', winnerGuid: null } },
  { label: texts.noContest, decision: NO_CONTEST },
];

/** Gives a match a result. */
function DecideDialog(props: DialogProps) {
  const { match, onClose } = props;
  const choices = choicesOf(match);
  const [decision, setDecision] = useState<Decision>(choices[0]?.decision ?? NO_CONTEST);
  const { preview, isReady, isUnread, hasMoved, submit } = useDecision('decide', props, decision);
  return (
    <Ask
      title={texts.decide.title(titleOf(match))}
      action={isUnread ? common.retry : texts.decide.action}
      needsReason
      isReady={isReady}
      send={submit}
      onClose={onClose}
    >
      {hasMoved && <Moved />}
      <fieldset>
        <legend>{texts.outcome}</legend>
        {choices.map(({ label, decision: choice }) => (
          <label key={label} class="choice">
            <input
              type="radio"
              name="outcome"
              value={choice.winnerGuid ?? choice.outcome}
              checked={isSame(choice, decision)}
              onChange={() => setDecision(choice)}
            />{' '}
            {label}
          </label>
        ))}
      </fieldset>
      <p>{match.endedAt === null ? texts.decide.running : texts.decide.ended}</p>
      <Preview preview={preview} />
    </Ask>
  );
}

/** The actions of an admin in a match of other players. */
export function Decisions({ match, read }: Omit<DialogProps, 'onClose'>) {
  const { may, playerGuid } = useMe();
  const [open, setOpen] = useState<Action | null>(null);
  if (!may('POST /matches/{matchGuid}/result')) return null;
  const isOwn = match.players.some((player) => player.playerGuid === playerGuid);
  if (isOwn) return <p class="quiet">{strings.match.own}</p>;
  const isRunning = match.endedAt === null;
  const actions: Action[] = [
    'decide',
    ...(isRunning ? ['abort' as const] : []),
    ...(match.result !== null && match.result.outcome !== 'no_contest' ? ['undo' as const] : []),
  ];
  const props = { match, read, onClose: () => setOpen(null) };
  return (
    <section aria-label={strings.match.decisions}>
      <p class="actions">
        {actions.map((action) => (
          <button
            key={action}
            type="button"
            class={action === 'decide' ? undefined : 'destructive'}
            data-action={action}
            onClick={() => setOpen(action)}
          >
            {texts[action].button}
          </button>
        ))}
      </p>
      {open === 'decide' && <DecideDialog {...props} />}
      {(open === 'abort' || open === 'undo') && <NoContestDialog action={open} {...props} />}
    </section>
  );
}
