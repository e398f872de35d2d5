import { beforeEach, expect, test } from 'vitest';
import {
  createLocalConnections,
  type LocalConnections,
  type Session,
} from '../../src/domains/connections/local-connections.ts';

let connections: LocalConnections;
beforeEach(() => {
  connections = createLocalConnections();
});

const connect = (playerGuid: string, connectionGuid: string): Session => {
  const session = { playerGuid, connectionGuid } as Session;
  connections.add(session);
  return session;
};

test('only the last connection of a player ends the presence on this node', () => {
  const first = connect('anna', '1');
  const second = connect('anna', '2');
  const other = connect('bert', '3');
  expect(connections.remove(first)).toBe(false);
  expect(connections.remove(second)).toBe(true);
  expect(connections.remove(other)).toBe(true);
  expect(connections.isEmpty()).toBe(true);
});

test('a player who has left and comes back has one connection again', () => {
  connections.remove(connect('anna', '1'));
  const again = connect('anna', '2');
  expect(connections.remove(again)).toBe(true);
});

test('the newest connection of each player that has taken the seat is the one with the greatest guid', () => {
  connect('dora', '9');
  const seated = [connect('anna', '2'), connect('anna', '1'), connect('bert', '3'), connect('carl', '5')];
  connect('bert', '4');
  for (const session of seated) connections.seat(session);
  const newest = () => connections.seated().newest.map(({ connectionGuid }) => connectionGuid);
  expect(newest()).toEqual(['2', '3', '5']);
  expect(connections.seated().replaced.map(({ connectionGuid }) => connectionGuid)).toEqual(['1']);
  for (const session of seated) connections.remove(session);
  expect(newest()).toEqual([]);
  connections.seat({ playerGuid: 'anna', connectionGuid: '2' } as Session);
  expect(newest()).toEqual([]);
});

test('counting does not visit the connections of other players', () => {
  const crowd = Array.from({ length: 50_000 }, (_, nth) => connect(`player ${nth}`, String(nth)));
  const begun = performance.now();
  for (const session of crowd) connections.remove(session);
  // With a look through all others it takes over 10 s.
  expect(performance.now() - begun).toBeLessThan(5000);
});
