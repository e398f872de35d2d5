import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandomness } from '../../src/local/random.ts';
import { platformIdOf, startTestService, type TestService } from '../harness/service.ts';
import { scoreOf } from '../harness/socket-player.ts';
import {
  type Arrow,
  createWriter,
  NAME,
  type Recorded,
  record,
  type Shown,
  VALUE,
  withBlocks,
} from './conversation.ts';
import { pageOf } from './tables.ts';

/**
 * The conversation of `docs/protocol.md` is one real match: `npx vitest run test/documents/protocol.test.ts -u` writes it
 * into the page.
 */

const FILE = path.resolve(import.meta.dirname, '../../docs/protocol.md');

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ randomness: seededRandomness('the conversation') });
});
afterAll(() => service.stop());

/** The names of ids on the page. */
const names = new Map<string, string>();
const { line } = createWriter(names);
const blocks = new Map<string, string>();

/** Adds a line to a block: a message of this player, or a remark. */
function note(block: string, text: string): void {
  const before = blocks.get(block);
  blocks.set(block, before === undefined ? text : `${before}\n${text}`);
}
const show = (block: string, { messages }: Recorded, arrow: Arrow, event: string, shown: Shown = VALUE) =>
  note(block, line(messages, arrow, event, shown));

const length = (cards: unknown[]) => `[${cards.length} cards]`;
const cardNames = (cards: { cardGuid: string }[]) =>
  `[${cards.map(({ cardGuid }) => names.get(cardGuid) ?? 'another').join(', ')}]`;
const update = (match: Shown): Shown => ({ match, cause: VALUE });

async function connect(name: string, given: string, messages: Recorded['messages'] = []): Promise<Recorded> {
  const recorded = record(await service.connect(name), messages);
  const { player } = await recorded.send('hello');
  names.set(player.playerGuid, given);
  return recorded;
}

async function waits(anna: Recorded, bert: Recorded): Promise<string> {
  const { queueGuid } = await service.openQueue();
  names.set(queueGuid, 'queue…');
  await anna.send('joinQueue', { queueGuid });
  await bert.send('joinQueue', { queueGuid });
  await Promise.all([anna, bert].map(({ player }) => player.status('waiting_players')));
  const { matchGuid } = anna.player.match;
  names.set(matchGuid, 'match…');
  const entry = { queueGuid: VALUE, joinedAt: NAME, waitingMs: NAME, rating: VALUE, gap: NAME };
  show('waiting', anna, '→', 'joinQueue');
  show('waiting', anna, '⇐', 'queueUpdated', { queueEntry: entry, reason: VALUE });
  show('waiting', anna, '←', 'joinQueue', { ok: VALUE, data: { queueEntry: NAME } });
  note('waiting', '   … somebody in range comes …');
  show('waiting', anna, '⇐', 'queueUpdated');
  show(
    'waiting',
    anna,
    '⇐',
    'matchUpdated',
    update({ version: VALUE, status: VALUE, deadlineAt: NAME, seedHash: NAME, opponent: { player: VALUE } }),
  );
  return matchGuid;
}

async function joins(anna: Recorded, bert: Recorded, matchGuid: string): Promise<void> {
  await anna.send('joinMatch', { matchGuid });
  await bert.send('joinMatch', { matchGuid });
  const { you } = await anna.player.status('awaiting_discards');
  for (const [nth, { cardGuid }] of you.hand.entries()) names.set(cardGuid, `card-${nth + 1}`);
  const given = [you.hand[1].cardGuid, you.hand[4].cardGuid];
  await anna.send('discardMaps', { matchGuid, cardGuids: given });
  await bert.send('discardMaps', { matchGuid, cardGuids: [] });
  await anna.player.status('awaiting_pick');
  show('joining', anna, '→', 'joinMatch');
  show('joining', anna, '⇐', 'matchUpdated', update({ version: VALUE }));
  show('joining', anna, '⇐', 'matchUpdated', update({ version: VALUE }));
  const dealt = {
    version: VALUE,
    status: VALUE,
    you: { hand: length },
    opponent: { hand: VALUE, handSize: VALUE },
  };
  show('joining', anna, '⇐', 'matchUpdated', update(dealt));
  show('joining', anna, '→', 'discardMaps');
  const kept = { match: { you: { discarded: VALUE, hand: cardNames } } };
  show('joining', anna, '←', 'discardMaps', { ok: VALUE, data: kept });
}

/** From the first pick to the start of the map. */
async function prepares(anna: Recorded, bert: Recorded, matchGuid: string): Promise<void> {
  const { pickerGuid, you } = anna.player.match;
  expect(pickerGuid).toBe(you.player.playerGuid);
  const roundNumber = 1;
  await anna.send('selectMap', { matchGuid, cardGuid: you.hand[2].cardGuid });
  await bert.player.status('preparing');
  await anna.send('setReady', { matchGuid, roundNumber, state: 'downloading', progress: 0.4 });
  await anna.send('setReady', { matchGuid, roundNumber, state: 'ready' });
  await anna.player.until(() => anna.player.match.you.ready === 'ready');
  anna.messages.splice(0, anna.messages.findLastIndex(({ event }) => event === 'discardMaps') + 1);
  show('playing', anna, '⇐', 'matchUpdated', update({ version: VALUE }));
  show(
    'playing',
    anna,
    '⇐',
    'matchUpdated',
    update({ version: VALUE, status: VALUE, roundNumber: VALUE, pickerGuid: VALUE }),
  );
  show('playing', anna, '→', 'selectMap');
  const map = { hash: VALUE, characteristic: VALUE, difficulty: VALUE, modifiers: VALUE, maxScore: VALUE };
  show('playing', anna, '⇐', 'matchUpdated', update({ status: VALUE, currentMap: map }));
  show('playing', anna, '→', 'setReady');
  show('playing', anna, '→', 'setReady');
  anna.messages.length = 0;
  await bert.send('setReady', { matchGuid, roundNumber, state: 'ready' });
  await anna.player.status('playing');
  show('playing', anna, '⇐', 'matchUpdated', update({ startsAt: NAME, startsInMs: NAME }));
  show('playing', anna, '⇐', 'matchUpdated', update({ status: VALUE }));
}

/** Anna's network is gone for a moment. @returns her new connection */
async function drops(anna: Recorded, bert: Recorded): Promise<Recorded> {
  await bert.player.status('playing');
  bert.messages.length = 0;
  anna.player.drop();
  await bert.player.until(() => bert.player.match.opponent.presence === 'away');
  note('dropped', "   Anna's network is gone. Bert is told:");
  show('dropped', bert, '⇐', 'matchUpdated', update({ opponent: { presence: VALUE, awayDeadlineAt: NAME } }));
  note('dropped', '   Anna plays on, comes back, and connects again:');
  const back = await connect('Anna', 'anna…');
  await bert.player.until(() => bert.player.match.opponent.presence === 'present');
  show('dropped', back, '→', 'hello');
  show('dropped', back, '←', 'hello', {
    ok: VALUE,
    data: { match: { matchGuid: VALUE, status: VALUE, roundNumber: VALUE } },
  });
  return back;
}

async function scores(anna: Recorded, bert: Recorded, matchGuid: string): Promise<void> {
  const { roundNumber, currentMap } = bert.player.match;
  anna.messages.length = 0;
  await anna.send('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.95) });
  await bert.send('submitScore', { matchGuid, roundNumber, ...scoreOf(currentMap, 0.5) });
  await anna.player.status('round_results');
  if (roundNumber > 1) return;
  show('scores', anna, '→', 'submitScore');
  show('scores', anna, '⇐', 'matchUpdated', update({ you: { scoreSubmitted: VALUE } }));
  show('scores', anna, '⇐', 'matchUpdated', update({ version: VALUE }));
  const score = { playerGuid: VALUE, rawScore: VALUE, accuracy: VALUE };
  const rounds = ([round]: any[]) =>
    `[{ roundNumber: ${round.roundNumber}, scores: [${round.scores.map((one: object) => line([{ arrow: '←', event: '', value: one }], '←', '', score).slice(3)).join(', ')}], winnerGuid: "${names.get(round.winnerGuid)}", damage: ${round.damage}, multiplier: ${round.multiplier} }]`;
  show('scores', anna, '⇐', 'matchUpdated', update({ status: VALUE, rounds }));
}

async function playsRound(anna: Recorded, bert: Recorded, matchGuid: string): Promise<void> {
  await Promise.all([anna.player.status('awaiting_pick'), bert.player.status('awaiting_pick')]);
  const mine = anna.player.match.pickerGuid === anna.player.match.you.player.playerGuid;
  const { player } = mine ? anna : bert;
  if (!mine && !blocks.has('refused')) {
    const [{ cardGuid }] = anna.player.match.you.hand;
    await anna.send('selectMap', { matchGuid, cardGuid });
    show('refused', anna, '→', 'selectMap');
    show('refused', anna, '←', 'selectMap');
  }
  await player.do('selectMap', { matchGuid, cardGuid: player.match.you.hand[0].cardGuid });
  const { roundNumber } = await anna.player.status('preparing');
  await bert.player.status('preparing');
  for (const one of [anna, bert]) await one.player.do('setReady', { matchGuid, roundNumber, state: 'ready' });
  await Promise.all([anna.player.status('playing'), bert.player.status('playing')]);
  await scores(anna, bert, matchGuid);
}

test('the conversation on the page is the one of a real match', async () => {
  const anna = await connect('Anna', 'anna…');
  names.set(platformIdOf('Anna'), '7656…');
  const hello = {
    player: { playerGuid: VALUE },
    queueEntry: VALUE,
    match: VALUE,
    lastMatch: VALUE,
    penalty: VALUE,
    time: NAME,
  };
  note('connecting', '   handshake auth { token, pluginVersion: "1.0.0" }');
  show('connecting', anna, '→', 'hello');
  show('connecting', anna, '←', 'hello', { ok: VALUE, data: hello });
  const bert = await connect('Bert', 'bert…');
  const matchGuid = await waits(anna, bert);
  await joins(anna, bert, matchGuid);
  await prepares(anna, bert, matchGuid);
  const back = await drops(anna, bert);
  await scores(back, bert, matchGuid);
  while (back.player.match.result === null) {
    await playsRound(back, bert, matchGuid);
    await back.player.status('awaiting_pick', 'completed');
  }
  const result = { outcome: VALUE, reason: VALUE, ratingBefore: VALUE, ratingAfter: VALUE };
  back.messages.splice(0, back.messages.length - 1);
  show('end', back, '⇐', 'matchUpdated', update({ status: VALUE, result }));

  await expect(withBlocks(pageOf('protocol.md'), blocks)).toMatchFileSnapshot(FILE);
});
