import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventReader } from '../harness/event-reader.ts';
import { type SecondNode, startSecondNode } from '../harness/second-node.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, toFirstPick } from '../harness/socket-player.ts';

let first: TestService;
let second: SecondNode;
const readers: EventReader[] = [];
beforeAll(async () => {
  first = await startTestService();
  second = await startSecondNode(first);
});
afterAll(async () => {
  for (const reader of readers) reader.close();
  await second?.service.stop();
  await first?.stop();
});

async function follow(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = await EventReader.open(url, headers);
  readers.push(reader);
  return reader;
}
const versionsOf = ({ events }: EventReader) => events.flatMap(({ id }) => (id === null ? [] : [Number(id)]));

test('a match is followed on a node that none of its players is connected to', async () => {
  const { queueGuid } = await first.openQueue();
  const all = await follow(`${second.url}/events`);
  await all.event('snapshot');
  const [anna, bert] = [await first.connect('Anna'), await first.connect('Bert')];
  const matchGuid = await meet(anna, bert, queueGuid);
  const events = `/matches/${matchGuid}/events`;
  const [own, other] = [await follow(first.url + events), await follow(second.url + events)];
  await other.event('match', ({ match }) => match.status === 'awaiting_discards');
  await toFirstPick(anna, bert, matchGuid);
  const { data, id } = await other.event('match', ({ match }) => match.status === 'awaiting_pick');
  expect(data.match).toEqual(
    (await own.event('match', ({ match }) => String(match.version) === id)).data.match,
  );

  // The reader goes on at the other node, where it ended.
  own.close();
  const resumed = await follow(second.url + events, { 'last-event-id': String(id) });
  await anna.do('forfeit', { matchGuid });
  await Promise.all([other.ended(), resumed.ended()]);
  for (const reader of [other, resumed]) {
    expect(reader.events.at(-1)?.event).toBe('end');
    const versions = versionsOf(reader);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(versions.at(-1)).toBe(anna.match.version);
  }
  expect(versionsOf(resumed)).not.toContain(Number(id));
  expect(other.events.at(-2)?.data.cause.type).toBe('finished');
  await all.event('matchStarted', (match) => match.matchGuid === matchGuid);
  await all.event('matchFinished', (match) => match.matchGuid === matchGuid);
  await all.event('queue', (queue) => queue.playing === 0);
});

test('changes are delivered in order to players on two nodes and to readers of both', async () => {
  const { queueGuid } = await first.openQueue();
  const [cara, dirk] = [await first.connect('Cara'), await second.connect('Dirk')];
  const matchGuid = await meet(cara, dirk, queueGuid);
  const both = await Promise.all(
    [first, second].map(({ url }) => follow(`${url}/matches/${matchGuid}/events`)),
  );
  await toFirstPick(cara, dirk, matchGuid);
  await dirk.do('forfeit', { matchGuid });
  await Promise.all(both.map((reader) => reader.ended()));
  await cara.status('aborted');
  for (const reader of both) {
    const versions = versionsOf(reader);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    expect(versions.at(-1)).toBe(cara.match.version);
  }
  dirk.leave();
});
