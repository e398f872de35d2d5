import { expect, test } from 'vitest';
import { newStreamId } from '../../src/domains/live/live-play.ts';
import { decodeRelay, encodeRelay } from '../../src/domains/live/relay.ts';

test('a stream that began later has the greater id, and a relayed frame keeps the id of its stream', () => {
  const now = Date.now();
  const [earlier, later] = [newStreamId(now - 5000), newStreamId(now - 4999)];
  expect(earlier < later).toBe(true);
  expect(newStreamId(now) < newStreamId(now + 1)).toBe(true);
  const frame = Buffer.from('frame');
  expect(decodeRelay(encodeRelay('opening', later, frame))).toEqual({
    kind: 'opening',
    streamId: later,
    frame,
  });
});
