import { h, render } from 'preact';
import type { MatchLog, PublicMatch } from '../../domains/matches/index.ts';
import { isProven, type Proof, proveMatch } from '../../domains/matches/proof.ts';
import { localTimes } from '../browser.ts';
import { type Followed, follow } from '../follow.ts';
import { type MatchFeed, matchFeed, serverNow } from '../parts/match-feed.ts';
import { titleOf } from '../parts/text.ts';
import { strings } from '../strings.ts';
import { boardAt, boardOf } from './board.ts';
import type { MatchModel } from './model.ts';
import { offerReport } from './report.ts';
import { storyOf } from './story.ts';
import { headingOf, MatchView } from './view.ts';

/** The page of a match in the browser: follows it while it runs; afterwards proves it and moves through its story. */

const AGAIN_MS = 1_000;
/** The status of this code. */
const LOG_UNREADABLE = 410;

const root = document.querySelector<HTMLElement>('#match');
const matchGuid = root?.dataset.match ?? '';

let followed: Followed<MatchFeed> | null = null;
/** The seed's hash as it was shown first while the match ran. */
let promised: string | null = null;
let match: PublicMatch | null = null;
let proof: Proof | null = null;
let isUnreachable = false;
/** The version that the board shows; null: the present one. */
let shown: number | null = null;
let offered: string | null = null;

function modelOf(present: PublicMatch): MatchModel {
  const step = proof?.steps.find(({ version }) => version === shown);
  const state = proof === null ? 'running' : isProven(proof) ? 'ok' : 'broken';
  return {
    match: present,
    board: step ? boardAt(step, present) : boardOf(present),
    now: serverNow(followed?.state ?? null),
    connection: followed?.connection ?? 'opening',
    since: followed?.since ?? Date.now(),
    story: proof?.steps.length ? storyOf(proof.steps, present) : null,
    shown: proof && (shown ?? proof.steps.length),
    proof: { state, checks: proof?.checks ?? [], isUnreachable },
    onSlide: (version) => {
      shown = version;
      draw();
      showLine();
    },
    onProveAgain: () => void prove(),
  };
}

function draw(): void {
  if (root === null || match === null) return;
  render(h(MatchView, { model: modelOf(match) }), root);
  document.title = titleOf(headingOf(match));
  localTimes();
  if (offered !== match.status) {
    offered = match.status;
    void offerReport(match);
  }
}

/** Scrolls the list of lines, and not the page, to the one that is shown. */
function showLine(): void {
  const line = root?.querySelector<HTMLElement>('.lines [aria-current]');
  const list = line?.parentElement;
  if (line && list) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** Asks for JSON as it is now. */
const ask = (address: string): Promise<Response> =>
  fetch(address, { headers: { accept: 'application/json' }, cache: 'no-cache' });

/** @throws Error for any answer but 200 */
async function read<T>(asked: Response | Promise<Response>): Promise<T> {
  const answer = await asked;
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  return (await answer.json()) as T;
}

/** The log in an answer; null for what is no JSON. @throws Error for any answer but 200 */
const readLog = (answer: Response): Promise<MatchLog | null> =>
  read<MatchLog>(answer).catch((error: unknown) => {
    if (error instanceof SyntaxError) return null;
    throw error;
  });

/** The proof of a match whose log is damaged. */
const unreadable: Proof = {
  checks: [{ claim: strings.match.proof.readable, problem: strings.match.proof.unreadable }],
  steps: [],
  refused: null,
};

async function readAndProve(): Promise<{ present: PublicMatch; found: Proof }> {
  const [present, answer] = await Promise.all([
    read<PublicMatch>(ask(`matches/${matchGuid}`)),
    ask(`matches/${matchGuid}/log`),
  ]);
  if (answer.status === LOG_UNREADABLE) return { present, found: unreadable };
  return { present, found: proveMatch(await readLog(answer), { match: present, promised }) };
}

async function prove(): Promise<void> {
  isUnreachable = false;
  draw();
  try {
    let latest = await readAndProve();
    if (!isProven(latest.found)) {
      // Staff may have corrected the match between both reads, and other nodes show that a second later.
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      latest = await readAndProve();
    }
    match = latest.present;
    proof = latest.found;
    shown = proof.steps.at(-1)?.version ?? null;
  } catch {
    isUnreachable = true;
  }
  drawProof();
}

/** A log that does not fit may lead to states that cannot be drawn. */
function drawProof(): void {
  try {
    draw();
  } catch (error) {
    if (proof === null || isProven(proof)) throw error;
    proof = { ...proof, steps: [] };
    shown = null;
    draw();
  }
}

function startFollowing(): void {
  const show = (next: Followed<MatchFeed>): void => {
    // The end comes again when another tab becomes visible. The proof and the place of the slider stay then.
    const isEnd = next.connection === 'over' && followed?.connection !== 'over';
    followed = next;
    if (next.state !== null) {
      match = next.state.match;
      promised ??= match.seedHash;
    }
    draw();
    if (isEnd) void prove();
  };
  follow({ ...matchFeed(), address: `matches/${matchGuid}/events`, show });
  // The countdowns.
  setInterval(() => {
    if (match?.endedAt === null) draw();
  }, 250);
}

if (root !== null) {
  read<PublicMatch>(ask(`matches/${matchGuid}`)).then(
    (present) => {
      match ??= present;
      if (present.endedAt === null) {
        promised ??= present.seedHash;
        startFollowing();
        draw();
      } else void prove();
    },
    () => startFollowing(),
  );
}
