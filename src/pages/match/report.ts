import { h, render } from 'preact';
import type { PublicMatch } from '../../domains/matches/index.ts';
import { TAKEN_FOR_MS } from '../../domains/reports/rules.ts';
import { visitor } from '../browser.ts';
import { pressable } from '../parts/press.ts';
import { plain } from '../parts/text.ts';
import { strings } from '../strings.ts';

const texts = strings.match.report;

interface ReportModel {
  match: PublicMatch;
  opponent: PublicMatch['players'][number];
  isSending: boolean;
  /** The result of sending; null: nothing was sent. */
  outcome: { text: string; isRefusal: boolean } | null;
}

const ReportForm = ({ model, onSend }: { model: ReportModel; onSend(form: HTMLFormElement): void }) =>
  h(
    'section',
    null,
    h('h2', null, texts.title(plain(model.opponent.username, 40))),
    h('p', { role: 'status', class: model.outcome?.isRefusal ? 'warning' : undefined }, model.outcome?.text),
    (model.outcome === null || model.outcome.isRefusal) &&
      h(
        'form',
        {
          onSubmit: (event: Event) => {
            event.preventDefault();
            onSend(event.currentTarget as HTMLFormElement);
          },
        },
        h('p', { class: 'quiet' }, texts.text),
        h(
          'label',
          null,
          texts.reason,
          ' ',
          h(
            'select',
            { name: 'reason' },
            Object.entries(texts.reasons).map(([reason, text]) =>
              h('option', { key: reason, value: reason }, text),
            ),
          ),
        ),
        h(
          'label',
          null,
          texts.comment,
          ' ',
          h('input', { name: 'comment', maxLength: 500, autocomplete: 'off' }),
        ),
        h('button', { type: 'submit', ...pressable(!model.isSending) }, texts.send),
      ),
  );

/** Sends a report. @returns the result as a text */
async function send(model: ReportModel, form: HTMLFormElement): Promise<ReportModel['outcome']> {
  const given = new FormData(form);
  const comment = String(given.get('comment') ?? '').trim();
  const body = {
    matchGuid: model.match.matchGuid,
    playerGuid: model.opponent.playerGuid,
    reason: given.get('reason'),
    ...(comment !== '' && { comment }),
  };
  try {
    const answer = await fetch('reports', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
    });
    const told = (await answer.json()) as { status?: string; error?: { message: string } };
    if (answer.status === 201) return { text: texts.sent, isRefusal: false };
    if (answer.ok) return { text: texts.known(told.status ?? ''), isRefusal: false };
    return { text: told.error?.message ?? texts.failed, isRefusal: true };
  } catch {
    return { text: texts.failed, isRefusal: true };
  }
}

/**
 * Whether the service takes reports of this match: from when both have joined to a day after its end.
 * @param until when that day is over, as the service says; '': the match ran when the page was made
 */
const takesReports = ({ status, endedAt, result }: PublicMatch, until: string): boolean =>
  status !== 'waiting_players' &&
  result?.reason !== 'not_joined' &&
  (endedAt === null || Date.now() <= (Number(until) || Date.parse(endedAt) + TAKEN_FOR_MS));

/** Shows a form to report the other player to a person who plays or played in this match. */
export async function offerReport(match: PublicMatch): Promise<void> {
  const place = document.querySelector<HTMLElement>('#report');
  const found = await visitor;
  const opponent = match.players.find(({ playerGuid }) => playerGuid !== found?.playerGuid);
  const isPlayer = match.players.some(({ playerGuid }) => playerGuid === found?.playerGuid);
  if (place === null || !isPlayer || opponent === undefined) return;
  if (!takesReports(match, place.dataset.until ?? '')) return;
  if (place.childElementCount > 0) return;
  let model: ReportModel = { match, opponent, isSending: false, outcome: null };
  const draw = (change: Partial<ReportModel>): void => {
    model = { ...model, ...change };
    render(h(ReportForm, { model, onSend }), place);
  };
  const onSend = async (form: HTMLFormElement): Promise<void> => {
    draw({ isSending: true });
    draw({ isSending: false, outcome: await send(model, form) });
  };
  draw({});
}
