import { isoTime } from '../../platform/clock.ts';
import { cutName } from '../../platform/names.ts';
import { type Recount, type Replay, recount } from './bsor/index.ts';
import type { PlayedPart } from './rounds.ts';

/**
 * The checks of a replay against the submitted score. Source: docs/replays.md, which says of each check what
 * it can and cannot prove.
 */

/** The checks that decide the verdict. */
const DECISIVE = [
  'mapHash',
  'characteristic',
  'difficulty',
  'modifiers',
  'submittedScore',
  'recomputedScore',
  'missCount',
  'badCutCount',
  'fullCombo',
  'notPractice',
] as const;
/** The checks that only inform. */
const INFORMATIVE = [
  'noteCount',
  'notFailed',
  'timeWindow',
  'gameVersion',
  'plausibility',
  'player',
] as const;
export const CHECK_NAMES = [...DECISIVE, ...INFORMATIVE] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export interface ReplayCheck {
  name: CheckName;
  ok: boolean;
  /** Whether the verdict depends on it. */
  decisive: boolean;
  /** For people, in the units of the game. */
  expected: string;
  actual: string;
}

export interface Verification {
  verdict: 'verified' | 'mismatch';
  checks: ReplayCheck[];
}

/** One player's part in a round as the service knows it, to verify the replay of it. */
export interface PartToVerify extends Pick<PlayedPart, 'map' | 'score' | 'startedAt' | 'overAt'> {
  platformId: string;
  /** Versions that the player can have used; empty: no release says which there are. */
  gameVersions: readonly string[];
}

type Finding = Pick<ReplayCheck, 'ok' | 'expected' | 'actual'>;
type Check = (part: PartToVerify, replay: Replay, found: Recount) => Finding;

const NO_SCORE = 'no score submitted';

const equal = (expected: string | number | boolean, actual: string | number | boolean): Finding => ({
  ok: expected === actual,
  expected: String(expected),
  actual: String(actual),
});

/** Compares with a member of the submitted score; without a score nothing disagrees. */
const asSubmitted =
  (name: 'missCount' | 'badCutCount' | 'fullCombo', actual: (found: Recount) => number | boolean): Check =>
  ({ score }, _replay, found) =>
    score === null
      ? { ok: true, expected: NO_SCORE, actual: String(actual(found)) }
      : equal(score[name], actual(found));

const HASH_LENGTH = 40;

/** The map host and recorders write some names differently. */
const plainName = (name: string): string => name.replaceAll(' ', '').replace('+', 'Plus').toLowerCase();

const sameName = (expected: string, actual: string): Finding => ({
  ok: plainName(expected) === plainName(actual),
  expected,
  actual,
});

/** Codes of recorders that differ from ours. */
const OUR_CODES: Record<string, string> = { NO: 'NW', SF: 'SFS', SC: 'SN', BE: '4L' };

/** Zen Mode leaves no code in a replay, so its absence proves nothing. */
const UNRECORDED = new Set(['ZM']);

const codeList = (codes: Iterable<string>): string => [...new Set(codes)].sort().join(' ') || 'none';

function modifiers({ map, score }: PartToVerify, { info }: Replay): Finding {
  const recorded = info.modifiers
    .split(',')
    .map((code) => code.trim().toUpperCase())
    .filter((code) => code !== '')
    .map((code) => OUR_CODES[code] ?? code);
  // No Fail is recorded only where it was triggered.
  const triggered =
    score === null ? recorded.includes('NF') && map.modifiers.includes('NF') : score.noFailTriggered;
  const played = map.modifiers.filter((code) => code !== 'NF' && !UNRECORDED.has(code));
  return equal(codeList(triggered ? [...played, 'NF'] : played), codeList(recorded));
}

const isWithin = ({ least, most }: Recount['score'], score: number): boolean =>
  least <= score && score <= most;

function recomputedScore({ score }: PartToVerify, { info }: Replay, found: Recount): Finding {
  const { least, most } = found.score;
  return {
    ok: isWithin(found.score, info.score) && (score === null || isWithin(found.score, score.rawScore)),
    expected:
      score === null || score.rawScore === info.score
        ? `${info.score}`
        : `${info.score} and ${score.rawScore}`,
    actual: least === most ? `${most}` : `${least} to ${most}`,
  };
}

/** The number of plain notes that give this maximum: the inverse of the map host's formula. Not whole: no number gives it. */
export function notesOf(maxScore: number): number {
  if (maxScore <= 115) return maxScore / 115;
  if (maxScore <= 1035) return 1 + (maxScore - 115) / 230;
  if (maxScore <= 4715) return 5 + (maxScore - 1035) / 460;
  return 13 + (maxScore - 4715) / 920;
}

function noteCount({ map, score }: PartToVerify, _replay: Replay, found: Recount): Finding {
  const notes = notesOf(map.maxScore);
  return {
    // A failed play ends before the map does.
    ok: score?.failed ? found.most <= map.maxScore : found.most === map.maxScore || found.notes === notes,
    expected: `${Math.round(notes)} notes worth ${map.maxScore}`,
    actual: `${found.notes} notes worth ${found.most}`,
  };
}

function notFailed({ score }: PartToVerify, { info }: Replay): Finding {
  const failed = score?.failed ?? false;
  const hasFailed = info.failTime > 0;
  return {
    // With No Fail the play goes on, and recorders may note the failure.
    ok: score?.noFailTriggered || hasFailed === failed,
    expected: failed ? 'failed' : 'not failed',
    actual: hasFailed ? `failed at ${info.failTime.toFixed(1)} s` : 'not failed',
  };
}

/** The clocks of players may be off by this. */
const CLOCKS_DIFFER_MS = 2 * 60_000;
/** Recorders write seconds; a number this large is milliseconds. */
const MILLISECONDS_FROM = 1e11;
const LAST_INSTANT = 8.64e15;

function timeWindow({ startedAt, overAt }: PartToVerify, { info }: Replay): Finding {
  const told = info.timestamp.trim() === '' ? Number.NaN : Number(info.timestamp);
  const at = told < MILLISECONDS_FROM ? told * 1000 : told;
  const from = startedAt - CLOCKS_DIFFER_MS;
  const to = overAt + CLOCKS_DIFFER_MS;
  return {
    ok: at >= from && at <= to,
    expected: `${isoTime(from)} to ${isoTime(to)}`,
    actual: at >= 0 && at <= LAST_INSTANT ? isoTime(at) : 'no time',
  };
}

/** `1.40.0_8137` is build 8137 of 1.40.0. */
const withoutBuild = (version: string): string => version.split('_', 1)[0] ?? version;

function gameVersion({ gameVersions }: PartToVerify, { info }: Replay): Finding {
  const known = [...new Set(gameVersions.map(withoutBuild))];
  const actual = withoutBuild(info.gameVersion);
  return {
    ok: known.length === 0 || known.includes(actual),
    expected: known.join(' or ') || 'any: no release is published',
    actual,
  };
}

/** Seconds of song between two frames: longer than any hiccup that one could play through. */
const LONGEST_GAP = 3;
const FRAMES_A_SECOND = { least: 20, most: 500 };
/** Seconds that an event may lie outside of what the frames cover. */
const FRAME_SLACK = 2;
/** Seconds that a song may go on after the length the map host knows, and the share of it that is played. */
const SONG_SLACK = 10;
const PLAYED_SHARE = 0.7;

function plausibility({ map, score }: PartToVerify, { frames, notes }: Replay): Finding {
  const { count, firstTime, lastTime } = frames;
  const rate = count / Math.max(1, lastTime - firstTime);
  const isOddRate = rate < FRAMES_A_SECOND.least || rate > FRAMES_A_SECOND.most;
  const times = notes.times.subarray(0, notes.count);
  const outside = times.filter((at) => at < firstTime - FRAME_SLACK || at > lastTime + FRAME_SLACK).length;
  const endsEarly = !score?.failed && lastTime < map.durationSeconds * PLAYED_SHARE;
  const odd = [
    count === 0 && 'no frames',
    frames.backwards > 0 && `time goes back ${frames.backwards} times`,
    frames.longestGap > LONGEST_GAP && `a gap of ${frames.longestGap.toFixed(1)} s`,
    frames.oddPoses > 0 && `${frames.oddPoses} impossible poses`,
    count > 0 && isOddRate && `${rate.toFixed(0)} frames a second`,
    count > 0 && outside > 0 && `${outside} events outside of the frames`,
    lastTime > map.durationSeconds + SONG_SLACK && `goes on until ${lastTime.toFixed(0)} s`,
    count > 0 && endsEarly && `ends at ${lastTime.toFixed(0)} s`,
  ].filter(Boolean);
  return {
    ok: odd.length === 0,
    expected: `nothing odd in ${map.durationSeconds} s`,
    actual: odd.join(', ') || 'nothing odd',
  };
}

const CHECKS: Record<CheckName, Check> = {
  // Recorders may append a remark on the level to the hash.
  mapHash: ({ map }, { info }) =>
    equal(map.hash.toUpperCase(), cutName(info.hash, HASH_LENGTH).toUpperCase()),
  characteristic: ({ map }, { info }) => sameName(map.characteristic, info.mode),
  difficulty: ({ map }, { info }) => sameName(map.difficulty, info.difficulty),
  modifiers,
  submittedScore: ({ score }, { info }) =>
    score === null
      ? { ok: false, expected: NO_SCORE, actual: String(info.score) }
      : equal(score.rawScore, info.score),
  recomputedScore,
  missCount: asSubmitted('missCount', ({ misses }) => misses),
  badCutCount: asSubmitted('badCutCount', ({ badCuts }) => badCuts),
  fullCombo: asSubmitted('fullCombo', ({ fullCombo }) => fullCombo),
  notPractice: (_, { info }) => ({
    ok: info.startTime === 0 && info.speed === 0,
    expected: 'from 0 s, without a speed of its own',
    actual: `from ${info.startTime} s, ${info.speed === 0 ? 'without a speed of its own' : `at the speed ${info.speed}`}`,
  }),
  noteCount,
  notFailed,
  timeWindow,
  gameVersion,
  plausibility,
  player: ({ platformId }, { info }) => equal(platformId, info.playerID),
};

/** Checks one player's replay of one round. */
export function verify(part: PartToVerify, replay: Replay): Verification {
  const found = recount(replay);
  const checks = CHECK_NAMES.map((name) => ({
    name,
    decisive: DECISIVE.some((one) => one === name),
    ...CHECKS[name](part, replay, found),
  }));
  const verdict = checks.every(({ ok, decisive }) => ok || !decisive) ? 'verified' : 'mismatch';
  return { verdict, checks };
}
