import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createIntake } from '../../src/domains/replays/intake.ts';
import type { Incoming } from '../../src/platform/http/incoming.ts';
import { BOUNDS } from '../../src/platform/limits.ts';

const BLOCK_BYTES = 256 * 1024;

const oneByte = (): Incoming => ({
  fill: async (block) => {
    block[0] = 'x'.charCodeAt(0);
    return 1;
  },
  hurry: () => {},
  close: () => {},
});

test('files that arrive are 256 MiB in all: the next is refused until one is let go of', async () => {
  const intake = createIntake();
  const held = Array.from({ length: BOUNDS.replaysAtOnce.value / BLOCK_BYTES }, () =>
    intake.gathered(oneByte()),
  );
  for (const { file } of held) await buffer(file);
  const oneMore = intake.gathered(oneByte());
  await expect(buffer(oneMore.file)).rejects.toMatchObject({ code: 'UPLOADS_BUSY', status: 503 });
  oneMore.done();
  held[0]?.done();
  expect(String(await buffer(intake.gathered(oneByte()).file))).toBe('x');
  await expect(buffer(intake.gathered(oneByte()).file)).rejects.toMatchObject({ code: 'UPLOADS_BUSY' });
});

test('of one player two uploads wait for the one before, the next is refused; others go on', async () => {
  const { inTurn } = createIntake();
  const { promise: first, resolve: finish } = Promise.withResolvers<void>();
  const order: string[] = [];
  const upload = (player: string, name: string) =>
    inTurn(player, oneByte(), async () => {
      order.push(name);
      await first;
    });
  const taken = ['first', 'second', 'third'].map((name) => upload('red', name));
  await expect(upload('red', 'fourth')).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 });
  taken.push(upload('blue', 'another'));
  await expect.poll(() => order).toEqual(['first', 'another']);
  finish();
  await Promise.all(taken);
  expect(order).toEqual(['first', 'another', 'second', 'third']);
  await upload('red', 'later');
});

test('who arrives while another upload of the player waits is hurried, whichever of the two was first', async () => {
  const { inTurn } = createIntake();
  const hurried: string[] = [];
  const file = (name: string): Incoming => ({ ...oneByte(), hurry: () => void hurried.push(name) });
  const [first, second, third] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const uploads = [inTurn('red', file('first'), async () => first?.promise)];
  await setImmediate();
  expect(hurried).toEqual([]);
  uploads.push(inTurn('red', file('second'), async () => second?.promise));
  expect(hurried).toEqual(['first']);
  uploads.push(inTurn('red', file('third'), async () => third?.promise));
  hurried.length = 0;
  first?.resolve();
  await setImmediate();
  expect(hurried).toEqual(['second']);
  second?.resolve();
  await setImmediate();
  expect(hurried).toEqual(['second']);
  third?.resolve();
  await Promise.all(uploads);
});
