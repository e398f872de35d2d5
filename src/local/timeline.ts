import { styleText } from 'node:util';
import type { MatchUpdate, MatchView, ReplayAnswer } from './bot.ts';

/**
 * Tells a match as it happens, a line per thing that happened. Colours where the output is a terminal,
 * plain text elsewhere.
 */
export interface Timeline {
  /** Both players' updates; what one line says is said once. */
  update(update: MatchUpdate): void;
  /** What became of the replay of a round that somebody has just played. */
  replay(match: MatchView, answer: ReplayAnswer): void;
}

type Style = Parameters<typeof styleText>[0];

const percent = (accuracy: number): string => `${(accuracy * 100).toFixed(2)} %`;
const bar = (health: number): string => {
  const full = Math.round(health * 20);
  return `${'█'.repeat(full)}${'░'.repeat(20 - full)} ${(health * 100).toFixed(1).padStart(5)} %`;
};

export function createTimeline(stream: NodeJS.WritableStream): Timeline {
  const paint = (style: Style, text: string) => styleText(style, text, { stream });
  const started = new Map<string, number>();
  const told = new Set<string>();

  const line = (match: MatchView, style: Style, label: string, text: string): void => {
    const now = Date.parse(match.time);
    const since = ((now - (started.get(match.matchGuid) ?? now)) / 1000).toFixed(2).padStart(7);
    stream.write(`${paint('dim', since)}  ${paint(style, label.padEnd(9))} ${text}\n`);
  };
  const nameOf = (match: MatchView, playerGuid: string | null): string =>
    [match.you, match.opponent].find((seat) => seat.player?.playerGuid === playerGuid)?.player?.username ??
    'nobody';
  const map = (entry: {
    name: string;
    difficulty: string;
    characteristic: string;
    modifiers: string[];
  }): string =>
    `${entry.name} ${paint('dim', `(${entry.characteristic} ${entry.difficulty}${entry.modifiers.length ? `, ${entry.modifiers.join(' ')}` : ''})`)}`;

  const hand = (match: MatchView, label: string): void => {
    for (const card of match.you.hand ?? [])
      line(match, 'blue', label, `${match.you.player?.username}: ${map(card.map)}`);
  };

  const round = (match: MatchView): void => {
    const last = match.rounds.at(-1);
    if (last === undefined) return;
    if (last.void) {
      line(match, 'yellow', 'round', `round ${last.roundNumber} is void: nobody was ready`);
      return;
    }
    const scores = last.scores.map(
      (score) => `${nameOf(match, score.playerGuid)} ${percent(score.accuracy)}`,
    );
    const verdict =
      last.winnerGuid === null
        ? 'equal, no damage'
        : `${nameOf(match, last.winnerGuid)} hits for ${percent(last.damage)} (gap × ${last.multiplier})`;
    line(match, 'magenta', 'round', `round ${last.roundNumber}: ${scores.join(' · ')} → ${verdict}`);
    for (const seat of [match.you, match.opponent])
      line(
        match,
        seat.health > 0.5 ? 'green' : 'red',
        '',
        `${(seat.player?.username ?? '').padEnd(10)} ${bar(seat.health)}`,
      );
  };

  const result = (match: MatchView): void => {
    const { result: end } = match;
    if (end === null) return;
    const text =
      end.outcome === 'no_contest'
        ? `no contest (${end.reason})`
        : end.winnerGuid === null
          ? `a draw (${end.reason})`
          : `${nameOf(match, end.winnerGuid)} wins (${end.reason})`;
    line(match, ['bold', 'green'], 'finished', `${text}${match.rated ? '' : ', unrated'}`);
  };

  /** Things both players are told the same way. */
  const shared: Partial<Record<MatchUpdate['cause']['type'], (match: MatchView, who: string) => void>> = {
    playerJoined: (match, who) => who !== 'nobody' && line(match, 'cyan', 'join', `${who} is here`),
    mapSelected: (match) =>
      match.currentMap &&
      line(match, 'cyan', 'pick', `${nameOf(match, match.pickerGuid)} picks ${map(match.currentMap)}`),
    mapStarted: (match) => line(match, 'cyan', 'play', 'both play'),
    presenceChanged: (match, who) => {
      const seat = [match.you, match.opponent].find(({ player }) => player?.username === who);
      if (seat) line(match, 'yellow', 'presence', `${who} is ${seat.presence}`);
    },
    scoreSubmitted: (match, who) => line(match, 'dim', 'score', `${who} has finished the map`),
    roundFinished: round,
    finished: result,
  };

  const once = (key: string, tell: () => void): void => {
    if (told.has(key)) return;
    told.add(key);
    tell();
  };

  return {
    replay: (match, { verdict, checks }) => {
      const wrong = checks
        .filter(({ ok }) => !ok)
        .map(({ name, expected, actual }) => `${name}: expected ${expected}, found ${actual}`);
      line(
        { ...match, time: new Date().toISOString() },
        verdict === 'verified' ? 'dim' : 'red',
        'replay',
        `${match.you.player?.username}'s round ${match.roundNumber} is ${[verdict, ...wrong].join('; ')}`,
      );
    },
    update: ({ match, cause }) => {
      if (!started.has(match.matchGuid)) {
        started.set(match.matchGuid, Date.parse(match.time));
        line(
          match,
          'bold',
          match.version > 1 ? 'resumed' : 'paired',
          `match ${match.matchGuid}, ${match.rated ? 'rated' : 'unrated'}, seed hash ${match.seedHash.slice(0, 16)}…`,
        );
      }
      // A hand is for its holder's eyes: told once from each player's own view.
      if (match.status === 'awaiting_discards' && !match.you.discarded)
        once(`${match.matchGuid} ${match.you.player?.playerGuid} dealt`, () => hand(match, 'dealt'));
      if (cause.type === 'discarded' && cause.playerGuid === match.you.player?.playerGuid)
        once(`${match.matchGuid} ${cause.playerGuid} kept`, () => hand(match, 'hand'));
      if (
        cause.type === 'readyChanged' &&
        cause.playerGuid === match.you.player?.playerGuid &&
        match.you.ready === 'ready'
      )
        line(match, 'dim', 'ready', `${match.you.player?.username} has the map`);
      const tell = shared[cause.type];
      if (tell)
        once(`${match.matchGuid} ${match.version}`, () => tell(match, nameOf(match, cause.playerGuid)));
      if (match.result !== null)
        line(
          match,
          'green',
          'rating',
          `${match.you.player?.username}: ${match.result.ratingBefore} → ${match.result.ratingAfter}`,
        );
    },
  };
}
