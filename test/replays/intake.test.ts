import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Consumer, createIntake } from '../../src/domains/replays/intake.ts';
import type { Incoming } from '../../src/platform/http/incoming.ts';

const KIB = 1024;

const oneByte = (): Incoming => ({
  length: null,
  fill: async (block) => {
    block[0] = 'x'.charCodeAt(0);
    return 1;
  },
  rate: () => 1,
  shortenSilence: () => {},
  close: () => {},
});

/** A file whose bytes come when the test sends them; it reports this rate. */
function sentByHand(rate: number) {
  let sent = 0;
  let isOver = false;
  let failure: unknown = null;
  let wake = () => {};
  const file: Incoming = {
    length: null,
    fill: async (block, least = block.length) => {
      while (sent < least && !isOver && failure === null)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure !== null) throw failure;
      const length = Math.min(sent, block.length);
      sent -= length;
      return length;
    },
    rate: () => rate,
    shortenSilence: () => {},
    close: (reason) => {
      failure = reason ?? new Error('closed');
      wake();
    },
  };
  return {
    file,
    send: (bytes: number) => {
      sent += bytes;
      wake();
    },
    end: () => {
      isOver = true;
      wake();
    },
  };
}

/** Reads a file, and counts the bytes that have come. */
function read(intake: ReturnType<typeof createIntake>, file: Incoming, consumer?: Consumer) {
  const upload = intake.open(file);
  const reading = { bytes: 0, outcome: 'arrives', done: upload.close, finished: Promise.resolve() };
  reading.finished = (async () => {
    try {
      for await (const piece of upload.pieces(consumer)) reading.bytes += piece.length;
      reading.outcome = 'whole';
    } catch (error) {
      reading.outcome = (error as { code: string }).code;
      upload.close();
    }
  })();
  return reading;
}

const settled = async () => {
  for (let turns = 0; turns < 10; turns += 1) await setImmediate();
};

test('memory is reserved as bytes arrive: many started uploads fit beside few large ones', async () => {
  const intake = createIntake(1400 * KIB);
  const begun = Array.from({ length: 7 }, () => sentByHand(10));
  const readings = begun.map(({ file }) => read(intake, file));
  for (const one of begun) one.send(1);
  await settled();
  expect(readings.map(({ outcome }) => outcome)).toEqual(Array(7).fill('arrives'));
  // Two large uploads take the memory of seven that have just begun.
  for (const one of begun.slice(0, 5)) one.end();
  await Promise.all(readings.slice(0, 5).map(({ finished }) => finished));
  for (const { done } of readings.slice(0, 5)) done();
  for (const one of begun.slice(5)) one.send(1024 * KIB);
  await settled();
  expect(readings.slice(5).map(({ outcome }) => outcome)).toEqual(['arrives', 'arrives']);
});

test('when memory is full the slowest upload ends, and a faster new one is accepted', async () => {
  const intake = createIntake(720 * KIB);
  const [quick, slow, slower, young] = [1000, 3, 2, 500].map(sentByHand) as [Sent, Sent, Sent, Sent];
  const readings = [quick, slow, slower].map(({ file }) => read(intake, file));
  for (const one of [quick, slow, slower]) one.send(1);
  await settled();
  const last = read(intake, young.file);
  young.send(9 * KIB);
  await settled();
  expect([...readings, last].map(({ outcome }) => outcome)).toEqual([
    'arrives',
    'arrives',
    'UPLOADS_BUSY',
    'arrives',
  ]);
  young.end();
  quick.end();
  await Promise.all([last, readings[0]].map((one) => one?.finished));
  expect([last, readings[0]].map((one) => [one?.outcome, one?.bytes])).toEqual([
    ['whole', 9 * KIB],
    ['whole', 1],
  ]);
});
type Sent = ReturnType<typeof sentByHand>;

test('a new upload that is slower than the others is refused with Retry-After when memory is full', async () => {
  const intake = createIntake(280 * KIB);
  const [quick, slow] = [sentByHand(1000), sentByHand(1)];
  const reading = read(intake, quick.file);
  quick.send(1);
  await settled();
  slow.send(1);
  const refused = intake.open(slow.file);
  const error = await buffer(refused.pieces()).catch((reason: unknown) => reason);
  expect(error).toMatchObject({
    code: 'UPLOADS_BUSY',
    status: 503,
    headers: { 'retry-after': expect.stringMatching(/^[1-9]/) },
  });
  expect(reading.outcome).toBe('arrives');
});

test('a complete upload is not cancelled; a released one frees its memory', async () => {
  const intake = createIntake(440 * KIB);
  const held = [read(intake, sentByHandWhole().file), read(intake, sentByHandWhole().file)];
  await Promise.all(held.map(({ finished }) => finished));
  expect(held.map(({ outcome }) => outcome)).toEqual(['whole', 'whole']);
  const third = read(intake, sentByHandWhole().file);
  await third.finished;
  expect(third.outcome).toBe('UPLOADS_BUSY');
  held[0]?.done();
  const fourth = read(intake, sentByHandWhole().file);
  await fourth.finished;
  expect(fourth.outcome).toBe('whole');
});

function sentByHandWhole() {
  const sent = sentByHand(1);
  sent.send(100);
  sent.end();
  return sent;
}

test('the memory that the consumer of a file needs counts as memory of its upload', async () => {
  const intake = createIntake(1024 * KIB);
  const consumer = { write: () => {}, end: () => {}, memory: 0 };
  const sent = sentByHand(1);
  const reading = read(intake, sent.file, consumer);
  sent.send(100 * KIB);
  await settled();
  expect(reading.outcome).toBe('arrives');
  consumer.memory = 1024 * KIB;
  sent.send(300 * KIB);
  await reading.finished;
  expect(reading.outcome).toBe('UPLOADS_BUSY');
});

test('the head of a file is checked as it arrives, also byte by byte', async () => {
  const intake = createIntake();
  const seen: number[] = [];
  const sent = sentByHand(1);
  const consumer = { write: ({ length }: Uint8Array) => void seen.push(length), end: () => {}, memory: 0 };
  const reading = read(intake, sent.file, consumer);
  for (const bytes of [1, 2, 5]) {
    sent.send(bytes);
    await settled();
  }
  expect(seen).toEqual([1, 2, 5]);
  sent.end();
  await reading.finished;
  expect(reading.bytes).toBe(8);
});

test('a player may have two waiting uploads; a third is refused; other players are not affected', async () => {
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

test('the running upload of a player gets a short idle limit as soon as another one waits', async () => {
  const { inTurn } = createIntake();
  const shortened: string[] = [];
  const file = (name: string): Incoming => ({
    ...oneByte(),
    shortenSilence: () => void shortened.push(name),
  });
  const [first, second, third] = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const uploads = [inTurn('red', file('first'), async () => first?.promise)];
  await setImmediate();
  expect(shortened).toEqual([]);
  uploads.push(inTurn('red', file('second'), async () => second?.promise));
  expect(shortened).toEqual(['first']);
  uploads.push(inTurn('red', file('third'), async () => third?.promise));
  shortened.length = 0;
  first?.resolve();
  await setImmediate();
  expect(shortened).toEqual(['second']);
  second?.resolve();
  await setImmediate();
  expect(shortened).toEqual(['second']);
  third?.resolve();
  await Promise.all(uploads);
});
