import { nameIn } from '../../pages/parts/match-text.ts';
import { plain } from '../../pages/parts/text.ts';
import type { Shapes } from '../api.ts';
import { type Match, seatName, words } from '../parts/match-words.ts';
import { strings } from './strings.ts';

/** The log of a match as lines that people read. */

type Log = Shapes['MatchLog'];
type Event = Log['events'][number]['event'];

const texts = strings.log;

export interface LogLine {
  version: number;
  /** ISO 8601. */
  at: string;
  /** Since the match was made, milliseconds. */
  afterMs: number;
  text: string;
}

type Cards = ReadonlyMap<string, string>;

const cardsOf = ({ dealt: { red, blue, reserve } }: Log): Cards =>
  new Map(
    [...red.hand, ...blue.hand, ...reserve].map(({ cardGuid, map }) => [cardGuid, plain(map.name, 60)]),
  );

const namesOf = (cards: Cards, guids: readonly string[]): string =>
  guids.map((guid) => cards.get(guid) ?? '?').join(', ');

/** The place of a seat among the players of a match. */
const seatIndex = (seat: Shapes['SeatName']): number => (seat === 'red' ? 0 : 1);

function createdText({ dealt, events }: Log, match: Match, cards: Cards): string {
  const [first] = events;
  if (first?.event.type !== 'created') return '';
  const { players, rulesVersion } = first.event.setup;
  const rated = (playerGuid: string, index: number) =>
    texts.player(
      seatName(match, index),
      players.find((player) => player.playerGuid === playerGuid)?.rating ?? 0,
    );
  const hand = (index: number, { hand: held }: Shapes['DealtHand']) =>
    texts.dealt(
      seatName(match, index),
      namesOf(
        cards,
        held.map(({ cardGuid }) => cardGuid),
      ),
    );
  return [
    words.story.created(),
    texts.setup(rulesVersion, rated(dealt.red.playerGuid, 0), rated(dealt.blue.playerGuid, 1)),
    hand(0, dealt.red),
    hand(1, dealt.blue),
  ].join(' ');
}

function scoreText({ missCount, badCutCount, modifiedScore, failed }: Shapes['SubmittedScore']): string[] {
  return [texts.score(modifiedScore, missCount, badCutCount), ...(failed ? [texts.failed] : [])];
}

function decidedText({ outcome, winner }: Extract<Event, { type: 'decidedByStaff' }>, match: Match): string {
  return texts.decided(
    outcome === 'decided'
      ? texts.outcomes.decided(winner === null ? words.somebody : seatName(match, seatIndex(winner)))
      : texts.outcomes[outcome],
  );
}

function textOf(event: Event, log: Log, match: Match, cards: Cards): string {
  const name = 'seat' in event ? seatName(match, seatIndex(event.seat)) : '';
  switch (event.type) {
    case 'created':
      return createdText(log, match, cards);
    case 'discardMaps':
      return [
        words.story.discardMaps(name, event.cardGuids.length),
        ...(event.cardGuids.length > 0 ? [texts.discarded(namesOf(cards, event.cardGuids))] : []),
      ].join(' ');
    case 'selectMap':
      return words.story.picked(name, namesOf(cards, [event.cardGuid]));
    case 'setReady':
      return words.story.setReady[event.state](name);
    case 'submitScore':
      return [words.story.submitScore(name, event.score.rawScore), ...scoreText(event.score)].join(' ');
    case 'serviceResumed':
      return words.story.serviceResumed(Math.round(event.downMs / 1000));
    case 'decidedByStaff':
      return `${words.story.decidedByStaff()} ${decidedText(event, match)}`;
    default:
      return words.story[event.type](name);
  }
}

/** A line for each event. Names come from `match`. */
export function logLines(log: Log, match: Match): LogLine[] {
  const cards = cardsOf(log);
  const start = Date.parse(log.events[0]?.at ?? match.startedAt);
  return log.events.map(({ version, at, event }) => ({
    version,
    at,
    afterMs: Date.parse(at) - start,
    text: textOf(event, log, match, cards),
  }));
}

export interface FormerLine {
  /** ISO 8601. */
  replacedAt: string;
  text: string;
}

/** The ratings that the match showed before it, or an earlier match, was corrected. */
export const formerLines = ({ formerRatings }: Log, match: Match): FormerLine[] =>
  formerRatings.map(({ playerGuid, before, after, replacedAt }) => ({
    replacedAt,
    text: texts.formerLine(nameIn(match, playerGuid), before, after),
  }));
