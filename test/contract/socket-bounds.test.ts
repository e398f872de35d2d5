import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BareSocket, frameOf } from '../harness/bare-socket.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, partWays } from '../harness/socket-player.ts';

/** Bounds that close a connection at every factor of the rates; the factor is 0 here. */

const METRICS_TOKEN = 'a-secret-of-whoever-watches-connections';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ environment: { METRICS_TOKEN } });
});
afterAll(() => service.stop());

const authOf = async (name: string, into: TestService) => ({
  token: await into.gameToken(name),
  pluginVersion: '1.0.0',
});
const connectPacket = async (name: string, into = service) => `40${JSON.stringify(await authOf(name, into))}`;
/** Opens an admitted connection. */
const letIn = async (name: string, into = service): Promise<BareSocket> => {
  const bare = await BareSocket.open(into.url);
  bare.frame(await connectPacket(name, into));
  await bare.until('40{"sid"');
  return bare;
};
/** How many connections were cut for this reason. */
const cuts = async (reason: string): Promise<number> => {
  const answer = await fetch(`${service.url}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  const line = new RegExp(`^socket_connections_cut_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
  return Number(line.exec(await answer.text())?.[1] ?? 0);
};
/** Acknowledgements by their numbers. */
const acknowledged = ({ received }: BareSocket): Set<number> =>
  new Set([...received.matchAll(/43(\d+)\[/g)].map(([, id]) => Number(id)));

const polling = (sid?: string) =>
  `${service.url}/socket.io/?EIO=4&transport=polling${sid === undefined ? '' : `&sid=${sid}`}`;
const openPolling = async (): Promise<string> =>
  JSON.parse((await (await fetch(polling())).text()).slice(1)).sid;
const post = (sid: string, body: string) => fetch(polling(sid), { method: 'POST', body });
const RECORD = '\x1e';

/** The head of a text frame as it travels (RFC 6455, 5.2), and Engine.IO's message in it. */
const A_MESSAGE = /\x81(?:[^\x7e\x7f]|\x7e..|\x7f.{8})4/s;

const flood = async (bare: BareSocket, frames: Buffer): Promise<number> => {
  const begunAt = performance.now();
  let isOver = false;
  void bare.ended.then(() => (isOver = true));
  while (!isOver) {
    if (!bare.tcp.write(frames))
      await Promise.race([bare.ended, new Promise((resolve) => bare.tcp.once('drain', resolve))]);
    await sleep(10);
  }
  return ((bare.endedAt ?? 0) - begunAt) / 1000;
};
const events = (count: number, payload: unknown = {}) =>
  Buffer.concat(
    Array.from({ length: count }, (_, id) => frameOf(`42${id}${JSON.stringify(['dance', payload])}`)),
  );

describe('a connection before its handshake is closed at once', () => {
  test.each([
    ['a CONNECT to another namespace', '40/admin,{}'],
    ['a CONNECT to a namespace with a query', '40/?token=x,{}'],
    ['an event', '42["hello",{}]'],
    ['an event of another namespace', '42/admin,["hello",{}]'],
    ['a DISCONNECT', '41'],
    ['an acknowledgement', '430[]'],
    ['the head of a binary event', '451-["hello",{"_placeholder":true,"num":0}]'],
    ['a refusal', '44{"message":"no"}'],
    ['what is no packet', '4nonsense'],
    ['nothing in a message', '4'],
  ])('for %s, without an answer', async (_case, packet) => {
    const bare = await BareSocket.open(service.url);
    bare.frame(packet);
    await bare.ended;
    // A message is a frame that begins with 4; the greeting has an id, and numbers.
    expect(bare.received).not.toMatch(A_MESSAGE);
  });

  test('for a binary message', async () => {
    const bare = await BareSocket.open(service.url);
    bare.frame('hello', 2);
    await bare.ended;
    expect(bare.received).not.toMatch(A_MESSAGE);
  });

  test('for a second CONNECT while the first is being decided', async () => {
    const bare = await BareSocket.open(service.url);
    const packet = await connectPacket('Twice');
    bare.tcp.write(Buffer.concat([frameOf(packet), frameOf(packet)]));
    await bare.ended;
    expect(bare.received).not.toContain('40{"sid"');
  });

  test('for too many members in its credentials', async () => {
    const bare = await BareSocket.open(service.url);
    bare.frame(
      `40${JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, 1])))}`,
    );
    await bare.ended;
    expect(bare.received).not.toContain('TOKEN_MISSING');
  });

  test('when it polls', async () => {
    for (const body of ['40/admin,{}', `40{}${RECORD}40{}`, 'bAAAA']) {
      const sid = await openPolling();
      await post(sid, body);
      expect((await fetch(polling(sid))).status, body).toBe(400);
    }
  });

  test('and is counted in the metrics', async () => {
    expect(await cuts('not_admitted')).toBeGreaterThan(3);
    expect(await cuts('invalid_packet')).toBeGreaterThan(3);
  });
});

describe('a connection without a handshake is cut', () => {
  test('after 10 s when it does not ask to be let in', async () => {
    const openedAt = performance.now();
    const [silent, sid] = [await BareSocket.open(service.url), await openPolling()];
    await silent.ended;
    const seconds = ((silent.endedAt ?? 0) - openedAt) / 1000;
    expect(seconds).toBeGreaterThan(9.5);
    // It would answer pings for ever, and 30 s is what a closing may take by itself.
    expect(seconds).toBeLessThan(30);
    await expect.poll(async () => (await fetch(polling(sid))).status).toBe(400);
    expect(await cuts('too_late')).toBe(2);
  });

  test('a second after its refusal, also when it does not answer the close frame', async () => {
    const bare = await BareSocket.open(service.url);
    bare.frame('40{}');
    await bare.until('TOKEN_MISSING');
    const toldAt = performance.now();
    await bare.ended;
    // By itself a closing that is not answered takes 30 s.
    expect((bare.endedAt ?? 0) - toldAt).toBeLessThan(15_000);
  });

  test('at once when it sends more after its refusal', async () => {
    const bare = await BareSocket.open(service.url);
    bare.frame('40{}');
    await bare.until('TOKEN_MISSING');
    bare.frame('40{}');
    await bare.ended;
    expect(bare.received.split('TOKEN_MISSING')).toHaveLength(3);
  });

  test('also when it polls', async () => {
    const sid = await openPolling();
    await post(sid, '40{}');
    expect(await (await fetch(polling(sid))).text()).toContain('TOKEN_MISSING');
    // The next request waits for the end, or comes after it.
    const last = await fetch(polling(sid));
    expect(last.status === 200 ? await last.text() : last.status).toSatisfy(
      (answer: unknown) => answer === '1' || answer === '6' || answer === 400,
    );
    expect((await fetch(polling(sid))).status).toBe(400);
  });
});

describe('an admitted connection is closed at once', () => {
  test.each([
    ['a binary message', 'hello', 2],
    ['the head of a binary event', '451-["hello",{"_placeholder":true,"num":0}]', 1],
    ['the head of a binary acknowledgement', '461-0[{"_placeholder":true,"num":0}]', 1],
    ['another namespace', '42/admin,["hello",{}]', 1],
    ['a CONNECT to another namespace', '40/admin,{}', 1],
    ['another CONNECT', '40{}', 1],
    ['a DISCONNECT', '41', 1],
  ])('for %s', async (_case, packet, opcode) => {
    const bare = await letIn('Nora');
    const before = bare.received.length;
    bare.frame(packet, opcode);
    await bare.ended;
    expect(bare.received.slice(before)).not.toContain('4');
  });

  test('for a message of more than 32 frames', async () => {
    const bare = await letIn('Otto');
    const before = bare.received.length;
    bare.frame('42', 1, false);
    for (let parts = 0; parts < 40; parts++) bare.frame('', 0, false);
    await bare.ended;
    expect(bare.received.slice(before)).not.toContain('4');
  });

  test('for too many WebSocket pings', async () => {
    const bare = await letIn('Pia');
    const before = bare.received.length;
    bare.tcp.write(Buffer.concat(Array.from({ length: 3000 }, () => frameOf('', 9))));
    await bare.ended;
    expect(bare.received.slice(before)).not.toContain('4');
  });

  test('for more than one probe before the upgrade to a WebSocket', async () => {
    const sid = await openPolling();
    const probe = new WebSocket(
      `${service.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket&sid=${sid}`,
    );
    const closed = new Promise((resolve) => probe.addEventListener('close', resolve));
    probe.addEventListener('open', () => {
      probe.send('2probe');
      probe.send('2probe');
    });
    await closed;
    expect((await fetch(polling(sid))).status).toBe(400);
  });
});

describe('the messages of one connection', () => {
  test('may be a thousand packets at once, and each is acknowledged', async () => {
    const bare = await letIn('Quinn');
    bare.tcp.write(events(1000));
    await bare.until('43999[');
    expect(acknowledged(bare).size).toBe(1000);
    bare.frame('42["dance"]');
    bare.frame('4242["dance"]');
    await bare.until('4342[');
    bare.leave();
  });

  test('may be more for a moment: the rest is read later, and none is lost', async () => {
    const bare = await letIn('Rolf');
    bare.tcp.write(events(1400));
    await bare.until('431399[');
    expect(acknowledged(bare).size).toBe(1400);
    await sleep(2500);
    expect(bare.endedAt).toBeNull();
    bare.leave();
  });

  test('end it when they are too many packets for two seconds', async () => {
    const bare = await letIn('Sven');
    const seconds = await flood(bare, events(200));
    expect(seconds).toBeGreaterThan(1.9);
    expect(await cuts('over_budget')).toBe(1);
    // The most that it could send: its bucket and the refill, and two reads of 64 KiB that were under way.
    expect(acknowledged(bare).size).toBeLessThanOrEqual(200);
    expect(bare.received.split('UNKNOWN_EVENT').length).toBeLessThan(1024 + 512 * (seconds + 1) + 7000);
  });

  test('end it when they are too many bytes for two seconds', async () => {
    const bare = await letIn('Tina');
    const seconds = await flood(bare, events(4, 'x'.repeat(30_000)));
    expect(seconds).toBeGreaterThan(1.9);
    const mebibytes = (bare.received.split('UNKNOWN_EVENT').length * 30_000) / 1024 / 1024;
    expect(mebibytes).toBeLessThan(2 + seconds + 1);
  });

  test('end it two seconds after one burst that takes longer to be read', async () => {
    const bare = await letIn('Tom');
    const sentAt = performance.now();
    bare.tcp.write(events(6000));
    await bare.ended;
    expect(performance.now() - sentAt).toBeGreaterThan(1900);
    expect(await cuts('over_budget')).toBeGreaterThan(0);
  });

  test('end a polling connection as well', async () => {
    const sid = await openPolling();
    await post(sid, await connectPacket('Ulla'));
    await (await fetch(polling(sid))).text();
    const body = Array.from({ length: 1000 }, () => '42["a"]').join(RECORD);
    let posts = 0;
    while ((await post(sid, body)).status === 200) posts += 1;
    expect(posts).toBeGreaterThan(0);
    expect(posts).toBeLessThan(6);
  });

  test('do not delay the answers to other players', async () => {
    const [loud, quiet] = [await letIn('Vera'), await service.connect('Wim')];
    let isOver = false;
    const flooding = flood(loud, events(500)).then(() => (isOver = true));
    let answers = 0;
    while (!isOver) {
      await quiet.do('hello');
      answers += 1;
      await sleep(20);
    }
    await flooding;
    // Every one of them came while the other was ahead with thousands of messages.
    expect(answers).toBeGreaterThan(10);
    quiet.leave();
  });
});

describe('messages beyond the rate', () => {
  let limited: TestService;
  beforeAll(async () => {
    limited = await startTestService({ environment: { RATE_LIMIT_FACTOR: '1' } });
  });
  afterAll(() => limited.stop());

  test.each([10, 1000, 4000, 16_000, 30_000])(
    'end the connection when they are too much for two seconds, %i characters in each',
    async (size) => {
      const bare = await letIn(`${size}`, limited);
      const seconds = await flood(bare, events(Math.ceil(120_000 / (size + 20)), 'x'.repeat(size)));
      expect(seconds).toBeGreaterThan(1.9);
    },
  );

  test('are refused and do not end the connection while its bucket holds enough', async () => {
    const bare = await letIn('Tilo', limited);
    for (let id = 0; id < 900; id += 30) {
      bare.tcp.write(Buffer.concat(Array.from({ length: 30 }, (_, at) => frameOf(`42${id + at}["dance"]`))));
      await sleep(100);
    }
    // A refusal for the rate is sent after a pause, so a later message may be answered before it.
    await expect.poll(() => acknowledged(bare).size).toBe(900);
    expect(bare.endedAt).toBeNull();
    bare.leave();
  });
});

describe('a message', () => {
  test('of any name is answered, also with names that Socket.IO uses itself', async () => {
    const bare = await letIn('Xaver');
    for (const [id, event] of [
      '"disconnect"',
      '"error"',
      '"newListener"',
      '7',
      '"a\\nb"',
      '""',
      `"${'x'.repeat(9000)}"`,
    ].entries()) {
      bare.frame(`42${id}[${event},{}]`);
      await bare.until(`43${id}[{"ok":false,"error":{"code":"UNKNOWN_EVENT"`);
    }
    expect(bare.endedAt).toBeNull();
    bare.leave();
  });

  test('that is no JSON, or has too many parts, is refused before it is parsed', async () => {
    const bare = await letIn('Yara');
    const members = JSON.stringify(
      Object.fromEntries(Array.from({ length: 3000 }, (_, at) => [`k${at}`, 1])),
    );
    const hostile = ['{', '"x"]]', members, '['.repeat(30_000), `[${'[],'.repeat(9000)}[]]`];
    for (const [id, payload] of hostile.entries()) {
      bare.frame(`42${id}["hello",${payload}]`);
      await bare.until(`43${id}[{"ok":false,"error":{"code":"VALIDATION_FAILED"`);
    }
    // No refusal is longer for what it refuses.
    expect(bare.received.length).toBeLessThan(3000);
    bare.leave();
  });
});

describe('a waiting command', () => {
  /** Keeps what writes about this player waiting until it is released. */
  const holdUp = async (playerGuid: string) => {
    const held = await service.database.pool.connect();
    await held.query('BEGIN');
    await held.query('SELECT 1 FROM "Player" WHERE "playerGuid" = $1 FOR UPDATE', [playerGuid]);
    return async () => {
      await held.query('ROLLBACK');
      held.release();
    };
  };
  const carriedOut = async (event: string): Promise<number> => {
    const answer = await fetch(`${service.url}/metrics`, {
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const line = `^socket_command_duration_seconds_count\\{event="${event}",outcome="ok"\\} (\\d+)$`;
    return Number(new RegExp(line, 'm').exec(await answer.text())?.[1] ?? 0);
  };

  test('is executed once, however often a player repeats it', async () => {
    const player = await service.connect('Ada');
    const { playerGuid } = (await player.do('hello')).player;
    const asked = await carriedOut('hello');
    const release = await holdUp(playerGuid);
    const joining = player.ask('joinQueue', { queueGuid: playerGuid });
    const answers = Promise.all(Array.from({ length: 300 }, () => player.do('hello')));
    // Answered at once, so everything before it has arrived.
    expect(await player.refused('dance')).toBe('UNKNOWN_EVENT');
    await release();
    await joining;
    expect(await answers).toHaveLength(300);
    expect(await carriedOut('hello')).toBe(asked + 1);
    player.leave();
  });

  test('that only reads is dropped when its player has gone; one that changes a match is carried out', async () => {
    const player = await service.connect('Bea');
    const { playerGuid } = (await player.do('hello')).player;
    const [asked, left] = [await carriedOut('hello'), await carriedOut('leaveQueue')];
    const release = await holdUp(playerGuid);
    player.socket.emit('joinQueue', { queueGuid: playerGuid }, () => {});
    player.socket.emit('hello', {}, () => {});
    player.socket.emit('leaveQueue', {}, () => {});
    expect(await player.refused('dance')).toBe('UNKNOWN_EVENT');
    const isHere = async () =>
      /^socket_connections (\d+)$/m.exec(
        await (
          await fetch(`${service.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
        ).text(),
      )?.[1];
    const before = Number(await isHere());
    player.drop();
    await expect.poll(async () => Number(await isHere())).toBe(before - 1);
    await release();
    await expect.poll(() => carriedOut('leaveQueue')).toBe(left + 1);
    expect(await carriedOut('hello')).toBe(asked);
  });
});

describe('a client that does not read', () => {
  test('is cut when a mebibyte waits, and other players are not affected', async () => {
    const { queueGuid } = await service.openQueue();
    const [anna, bert] = [await service.connect('Anna'), await service.connect('Bert')];
    const matchGuid = await meet(anna, bert, queueGuid);
    anna.leave();
    const deaf = await letIn('Anna');
    deaf.tcp.pause();
    const before = await cuts('not_reading');
    const ask = `42["getMatchState",{"matchGuid":"${matchGuid}"}]`;
    let id = 0;
    while ((await cuts('not_reading')) === before) {
      for (let times = 0; times < 100; times++) deaf.frame(ask.replace('42[', `42${id++}[`));
      await sleep(250);
    }
    deaf.tcp.resume();
    await deaf.ended;
    const back = await service.connect('Anna');
    expect((await back.do('hello')).match.matchGuid).toBe(matchGuid);
    expect(bert.socket.connected).toBe(true);
    await partWays(back, bert, matchGuid);
  }, 60_000);

  test('for a while and then reads is not cut', async () => {
    const slow = await letIn('Zoe');
    slow.tcp.pause();
    for (let id = 0; id < 900; id++) slow.frame(`42${id}["hello",{}]`);
    await sleep(3000);
    slow.tcp.resume();
    await slow.until('43899[');
    expect(acknowledged(slow).size).toBe(900);
    slow.leave();
  }, 30_000);
});
