import { styleText } from 'node:util';
import type { MatchUpdate, MatchView, ReplayAnswer } from './bot.ts';

type Style = Parameters<typeof styleText>[0];
type Cause = MatchUpdate['cause'];

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
const bar = (health: number): string => {
  const full = Math.round(health * 20);
  return `${'█'.repeat(full)}${'░'.repeat(20 - full)} ${(health * 100).toFixed(1).padStart(5)} %`;
};

const seatsOf = ({ you, opponent }: MatchView) => [you, opponent];
const seatOf = (match: MatchView, playerGuid: string | null) =>
  seatsOf(match).find(({ player }) => player?.playerGuid === playerGuid);
const nameOf = (match: MatchView, playerGuid: string | null): string =>
  seatOf(match, playerGuid)?.player?.username ?? 'nobody';

/**
 * Writes a match as it happens, a line per event. Colours where the output is a terminal, plain text elsewhere.
 */
export function createTimeline(stream: NodeJS.WritableStream) {
  const paint = (style: Style, text: string) => styleText(style, text, { stream });
  const started = new Map<string, number>();
  const written = new Set<string>();

  const line = (match: MatchView, style: Style, label: string, text: string): void => {
    const now = Date.parse(match.time);
    const since = ((now - (started.get(match.matchGuid) ?? now)) / 1000).toFixed(2).padStart(7);
    stream.write(`${paint('dim', since)}  ${paint(style, label.padEnd(9))} ${text}\n`);
  };
  const once = (key: string, write: () => void): void => {
    if (written.has(key)) return;
    written.add(key);
    write();
  };
  const mapText = (map: NonNullable<MatchView['currentMap']>) => {
    const details = [`${map.characteristic} ${map.difficulty}`, map.modifiers.join(' ')].filter(Boolean);
    return `${map.name} ${paint('dim', `(${details.join(', ')})`)}`;
  };

  const hand = (match: MatchView, label: string): void => {
    for (const { map } of match.you.hand ?? [])
      line(match, 'blue', label, `${match.you.player?.username}: ${mapText(map)}`);
  };

  const round = (match: MatchView): void => {
    const last = match.rounds.at(-1);
    if (last === undefined) return;
    const { roundNumber, winnerGuid, damage, multiplier } = last;
    if (last.void) {
      line(match, 'yellow', 'round', `round ${roundNumber} is void: nobody was ready`);
      return;
    }
    const scores = last.scores.map(
      ({ playerGuid, accuracy }) => `${nameOf(match, playerGuid)} ${percent(accuracy)}`,
    );
    const outcome =
      winnerGuid === null
        ? 'equal, no damage'
        : `${nameOf(match, winnerGuid)} hits for ${percent(damage)} (gap × ${multiplier})`;
    line(match, 'magenta', 'round', `round ${roundNumber}: ${scores.join(' · ')} → ${outcome}`);
    for (const { player, health } of seatsOf(match))
      line(
        match,
        health > 0.5 ? 'green' : 'red',
        '',
        `${(player?.username ?? '').padEnd(10)} ${bar(health)}`,
      );
  };

  const result = (match: MatchView): void => {
    if (match.result === null) return;
    const { outcome, winnerGuid, reason } = match.result;
    const text =
      outcome === 'no_contest'
        ? 'no contest'
        : winnerGuid === null
          ? 'a draw'
          : `${nameOf(match, winnerGuid)} wins`;
    line(match, ['bold', 'green'], 'finished', `${text} (${reason})${match.rated ? '' : ', unrated'}`);
  };

  /** Lines for events that both players get. */
  const shared: Partial<Record<Cause['type'], (match: MatchView, who: string, cause: Cause) => void>> = {
    playerJoined: (match, who) => who !== 'nobody' && line(match, 'cyan', 'join', `${who} is here`),
    mapSelected: (match) =>
      match.currentMap &&
      line(match, 'cyan', 'pick', `${nameOf(match, match.pickerGuid)} picks ${mapText(match.currentMap)}`),
    discarded: (match, who) => line(match, 'dim', 'discard', `${who} has discarded`),
    readyChanged: (match, who, { playerGuid }) => {
      const ready = seatOf(match, playerGuid)?.ready;
      if (ready === 'ready') line(match, 'dim', 'ready', `${who} has the map`);
      if (ready === 'failed') line(match, 'yellow', 'ready', `${who} cannot download the map`);
    },
    mapStarted: (match) => line(match, 'cyan', 'play', 'both play'),
    presenceChanged: (match, who, { playerGuid }) => {
      const seat = seatOf(match, playerGuid);
      if (seat) line(match, 'yellow', 'presence', `${who} is ${seat.presence}`);
    },
    scoreSubmitted: (match, who) => line(match, 'dim', 'score', `${who} has finished the map`),
    roundFinished: round,
    finished: result,
  };

  return {
    /** The verdict on the replay of a round that a player has just played. */
    replay: (match: MatchView, { verdict, checks }: ReplayAnswer): void => {
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
    /** Takes the updates of both players. An event that both get is written once. */
    update: ({ match, cause }: MatchUpdate): void => {
      const { matchGuid, version, you, result } = match;
      const me = `${matchGuid} ${you.player?.playerGuid}`;
      const isMine = cause.playerGuid !== null && cause.playerGuid === you.player?.playerGuid;
      once(matchGuid, () => {
        started.set(matchGuid, Date.parse(match.time));
        const about = `${match.rated ? 'rated' : 'unrated'}, seed hash ${match.seedHash.slice(0, 16)}…`;
        line(match, 'bold', version > 1 ? 'resumed' : 'paired', `match ${matchGuid}, ${about}`);
      });
      // Only the view of its holder has a hand.
      if (match.status === 'awaiting_discards' && !you.discarded)
        once(`${me} dealt`, () => hand(match, 'dealt'));
      if (cause.type === 'discarded' && isMine) once(`${me} kept`, () => hand(match, 'hand'));
      const write = shared[cause.type];
      if (write) once(`${matchGuid} ${version}`, () => write(match, nameOf(match, cause.playerGuid), cause));
      if (result !== null)
        line(
          match,
          'green',
          'rating',
          `${you.player?.username}: ${result.ratingBefore} → ${result.ratingAfter}`,
        );
    },
  };
}
