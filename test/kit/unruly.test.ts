import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATES } from '../../src/platform/limits.ts';
import { binaryOf, sha256Of } from '../harness/releases.ts';
import { scoreOf } from '../harness/socket-player.ts';
import { helloOf, matchOf } from './payloads.ts';
import { missing, type Plugin, type Plugins, startPlugins } from './plugins.ts';
import { startUnrulyServer, type UnrulyServer } from './unruly-server.ts';

const isMissing = missing();

describe.skipIf(isMissing !== null)(
  `the C# kit with a server that misbehaves${isMissing ? `: ${isMissing}` : ''}`,
  () => {
    let plugins: Plugins;
    let servers: UnrulyServer[] = [];
    let named = 0;
    beforeAll(async () => {
      plugins = await startPlugins();
    });
    afterAll(async () => {
      await plugins.stop();
      await Promise.all(servers.map((server) => server.stop()));
    });

    /** A server of its own for each test, with one plugin that has begun to connect. */
    const begin = async (options: Partial<Parameters<Plugins['open']>[1]> = {}) => {
      const server = await startUnrulyServer();
      servers = [...servers, server];
      named += 1;
      const asked: boolean[] = [];
      const plugin = await plugins.open(`plugin ${named}`, {
        address: server.url,
        token: async (renew) => {
          asked.push(renew);
          return `token ${asked.length}`;
        },
        firstPauseMs: 20,
        longestPauseMs: 100,
        ...options,
      });
      plugin.start();
      return { server, plugin, asked };
    };
    /** The answer to /plugin-releases. */
    const releasesOf = ({ url }: UnrulyServer, bytes: Uint8Array): string =>
      JSON.stringify({
        servedPluginVersion: '1.4.0',
        releases: [
          {
            gameVersion: '1.40.0',
            pluginVersion: '1.4.0',
            fileName: 'plugin.dll',
            sha256: sha256Of(bytes),
            size: bytes.length,
            uploadedAt: helloOf().time,
            downloadUrl: `${url}/plugin-releases/1.40.0/download`,
            signed: false,
          },
        ],
      });
    const replayOf = async (): Promise<string> => {
      const file = path.join(plugins.folder, 'play.bsor');
      await writeFile(file, binaryOf(1000));
      return file;
    };
    const published = { replayGuid: 'r', verdict: 'verified', checks: [] };
    const toldMatches = (plugin: Plugin) =>
      plugin
        .told()
        .filter(({ told }) => told === 'match')
        .map(({ match, cause }) => `${match.version} ${cause}`);

    test('waits as long as each of ten refusals says, and requests a new token each time', async () => {
      const { server, plugin, asked } = await begin();
      for (let nth = 0; nth < 10; nth += 1) (await server.connection()).refuse('RATE_LIMITED', 40 + nth);
      await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const waits = plugin.told().filter(({ state }) => state === 'Waiting');
      expect(waits).toHaveLength(10);
      for (const [nth, { code, remedy, retryInMs }] of waits.entries()) {
        expect({ code, remedy }).toEqual({ code: 'RATE_LIMITED', remedy: 'Retry' });
        expect(retryInMs).toBeGreaterThanOrEqual(40 + nth);
        // The client counts in whole milliseconds.
        expect(retryInMs).toBeLessThanOrEqual(Math.ceil((40 + nth) * 1.25));
      }
      expect(asked).toEqual(Array(11).fill(false));
    });

    test('comes back at most 1 s after the time that a refusal says', async () => {
      const { server, plugin } = await begin();
      for (let nth = 0; nth < 10; nth += 1) {
        const mark = plugin.mark();
        (await server.connection()).refuse('SERVICE_UNAVAILABLE', 58_000);
        const { retryInMs } = await plugin.state('Waiting', mark);
        expect(retryInMs).toBeGreaterThanOrEqual(58_000);
        expect(retryInMs).toBeLessThanOrEqual(59_000);
        await plugin.stop();
        plugin.start();
      }
    });

    test('reconnects after a refused reconnect, and sends hello after each connection', async () => {
      const { server, plugin } = await begin();
      const first = await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const mark = plugin.mark();
      first.push('serverNotice', { type: 'draining', message: 'Going.', retryAfterMs: 30 });
      first.close();
      (await server.connection()).refuse('DRAINING', 30);
      (await server.connection()).refuse('SERVICE_UNAVAILABLE', 30);
      (await server.connection()).close();
      await (await server.connection()).welcome(helloOf());
      await plugin.connected(mark);
      const waits = plugin.told().filter(({ state }) => state === 'Waiting');
      expect(waits.map(({ code }) => code)).toEqual([null, 'DRAINING', 'SERVICE_UNAVAILABLE', null]);
      expect(waits[0]?.retryInMs).toBeGreaterThanOrEqual(30);
      expect(plugin.told().filter(({ told }) => told === 'greeted')).toHaveLength(2);
    });

    test('uses no more handshakes in a minute than a player has when the connection is lost again and again', async () => {
      // A hundredth of the kit's pauses.
      const { server, plugin } = await begin();
      for (let times = 0; times < 15; times += 1)
        (await (await server.connection()).welcome(helloOf())).close();
      await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const pauses = plugin.told().flatMap(({ state, retryInMs }) => (state === 'Waiting' ? retryInMs : []));
      expect(pauses).toHaveLength(15);
      expect(pauses[0]).toBeLessThanOrEqual(20);
      expect(Math.min(...pauses.slice(3))).toBeGreaterThanOrEqual(85);
      const { most, everyMs } = RATES.handshakesOfPlayer;
      const spans = pauses
        .slice(most - 1)
        .map((_, nth) => pauses.slice(nth, nth + most).reduce((sum, pause) => sum + pause, 0));
      expect(Math.min(...spans)).toBeGreaterThanOrEqual(everyMs / 100);
    });

    test('requests another token once, and stops when that is refused too', async () => {
      const { server, plugin, asked } = await begin();
      (await server.connection()).refuse('TOKEN_EXPIRED');
      const second = await server.connection();
      expect(second.auth.token).toBe('token 2');
      second.refuse('TOKEN_EXPIRED');
      const { code, remedy, message } = await plugin.state('Refused');
      expect({ code, remedy, message }).toEqual({
        code: 'TOKEN_EXPIRED',
        remedy: 'NewToken',
        message: 'Because of TOKEN_EXPIRED.',
      });
      expect(asked).toEqual([false, true]);
    });

    test('requests another token for each one that expires while the service is away', async () => {
      const { server, asked } = await begin();
      (await server.connection()).refuse('TOKEN_EXPIRED');
      (await server.connection()).refuse('SERVICE_UNAVAILABLE', 30);
      (await server.connection()).refuse('TOKEN_EXPIRED');
      const last = await server.connection();
      expect(last.auth.token).toBe('token 4');
      expect(asked).toEqual([false, true, false, true]);
    });

    test('requests one token when the game continues after it stood still for several time-outs of the token', async () => {
      const { server, plugin, asked } = await begin({ tokenLimitMs: 1000 });
      const connection = await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const before = asked.length;
      const stoodStill = plugin.order('standStill', { ms: 3500 });
      await plugin.until(({ told }) => told === 'standing', 'that the game stands still');
      connection.close();
      await stoodStill;
      // One that is not over yet, or none in a pause between two.
      expect(asked.length - before).toBeLessThanOrEqual(1);
      const mark = plugin.mark();
      await (await server.connection()).welcome(helloOf());
      await plugin.connected(mark);
    });

    test('connects again when it is started while it is still leaving', async () => {
      const { server, plugin } = await begin();
      const first = await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const mark = plugin.mark();
      const joined = plugin.send('joinQueue', { queueGuid: 'q' });
      const failed = expect(joined).rejects.toThrow('NoAnswerException');
      await first.next('joinQueue');
      const stopped = plugin.stop();
      plugin.start();
      await (await server.connection()).welcome(helloOf());
      await plugin.connected(mark);
      await Promise.all([stopped, failed]);
    });

    test('stops at an unknown code of a newer server, and starts again when asked to', async () => {
      const { server, plugin } = await begin();
      (await server.connection()).refuse('SUN_IN_YOUR_EYES');
      expect(await plugin.state('Refused')).toMatchObject({ code: 'SUN_IN_YOUR_EYES', remedy: 'Stop' });
      plugin.start();
      const connection = await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      connection.push('serverNotice', { type: 'eclipsed', message: 'The sun is gone.', retryAfterMs: null });
      connection.raw('41');
      expect(
        await plugin.until(
          ({ state, message }) => state === 'Refused' && message === 'The sun is gone.',
          'why',
        ),
      ).toMatchObject({
        remedy: 'Stop',
      });
      expect(
        plugin
          .told()
          .filter(({ told }) => told === 'notice')
          .map(({ type }) => type),
      ).toEqual(['Unknown']);
    });

    test('does not reconnect when another copy takes the seat, even before hello is answered', async () => {
      const { server, plugin } = await begin();
      const connection = await server.connection();
      connection.admit();
      await connection.next('hello');
      connection.push('serverNotice', { type: 'sessionReplaced', message: 'Elsewhere.', retryAfterMs: null });
      connection.close();
      await plugin.state('Replaced');
      await expect(plugin.send('leaveQueue')).rejects.toThrow('the client is not connected');
    });

    test('disconnects from a server that falls silent: at the handshake, at hello, and later', async () => {
      const { server, plugin } = await begin({ connectLimitMs: 1000, answerLimitMs: 1000 });
      const unheard = await server.connection();
      await unheard.closed;
      const unanswered = await server.connection();
      unanswered.admit();
      await unanswered.next('hello');
      await unanswered.closed;
      const fallsSilent = await server.connection();
      fallsSilent.admit({ pings: false });
      fallsSilent.answer(await fallsSilent.next('hello'), { ok: true, data: helloOf() });
      await plugin.connected();
      const mark = plugin.mark();
      await fallsSilent.closed;
      const last = await (await server.connection()).welcome(helloOf());
      await plugin.connected(mark);
      expect(last.commands).toEqual([]);
    });

    test('repeats a command whose answer was lost, and uses the answer of the present connection', async () => {
      const { server, plugin } = await begin();
      const first = await (await server.connection()).welcome(helloOf());
      const joined = plugin.send('joinQueue', { queueGuid: helloOf().player.playerGuid });
      const lost = await first.next('joinQueue');
      first.close();
      const second = await (await server.connection()).welcome(helloOf());
      const again = await second.next('joinQueue');
      expect(again.payload).toEqual(lost.payload);
      // An answer that belongs to nothing: the old connection's number.
      second.answer({ id: '77' }, { ok: false, error: { code: 'QUEUE_NOT_FOUND', message: 'Old.' } });
      second.answer(again, { ok: false, error: { code: 'SERVICE_UNAVAILABLE', message: 'Later.' } });
      const third = await second.next('joinQueue');
      const queueEntry = {
        queueGuid: third.payload.queueGuid,
        joinedAt: helloOf().time,
        waitingMs: 1,
        rating: 1000,
        gap: 150,
      };
      second.answer(third, { ok: true, data: { queueEntry } });
      expect(await joined).toEqual({ queueEntry });
      const refused = plugin.send('leaveQueue');
      second.answer(await second.next('leaveQueue'), {
        ok: false,
        error: { code: 'NEW_CODE', message: 'New.' },
      });
      await expect(refused).rejects.toThrow('NEW_CODE: New.');
    });

    const play = { matchGuid: 'm', roundNumber: 1, ...scoreOf({ maxScore: 100 }, 0.9) };
    const entry = { queueGuid: 'q', joinedAt: helloOf().time, waitingMs: 1, rating: 1000, gap: 150 };
    const result = {
      outcome: 'win' as const,
      reason: 'forfeit' as const,
      winnerGuid: null,
      ratingBefore: 1000,
      ratingAfter: 1010,
    };
    const unavailable = { ok: false, error: { code: 'SERVICE_UNAVAILABLE', message: 'Later.' } };

    test('sends later commands while a score gets no final answer, and repeats the score meanwhile', async () => {
      const { server, plugin } = await begin();
      const connection = await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const submitted = plugin.send('submitScore', play);
      connection.answer(await connection.next('submitScore'), unavailable);
      const forfeited = plugin.send('forfeit', { matchGuid: 'm' });
      const forfeit = await connection.next('forfeit');
      for (let times = 0; times < 3; times += 1)
        connection.answer(await connection.next('submitScore'), unavailable);
      connection.answer(forfeit, { ok: true, data: { match: matchOf(5) } });
      await forfeited;
      connection.answer(await connection.next('submitScore'), { ok: true, data: { match: matchOf(5) } });
      await submitted;
      expect(connection.commands).toEqual([]);
    });

    test('gives up a command that waits behind a score which cannot be sent, and does not send the command later', async () => {
      const { server, plugin } = await begin({ commandLimitMs: 1000 });
      const connection = await server.connection();
      const submitted = plugin.send('submitScore', play);
      await expect(plugin.send('forfeit', { matchGuid: 'm' })).rejects.toThrow(
        'forfeit was given up without an answer',
      );
      await connection.welcome(helloOf());
      connection.answer(await connection.next('submitScore'), { ok: true, data: { match: matchOf(5) } });
      await submitted;
      const left = plugin.send('leaveQueue');
      connection.answer(await connection.next('leaveQueue'), { ok: true, data: { queueEntry: null } });
      await left;
      expect(connection.commands).toEqual([]);
    });

    test('takes an answer that comes after the command was sent again', async () => {
      const { server, plugin } = await begin({ answerLimitMs: 1000 });
      const connection = await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const joined = plugin.send('joinQueue', { queueGuid: 'q' });
      const early = await connection.next('joinQueue');
      await connection.next('joinQueue');
      connection.answer(early, { ok: true, data: { queueEntry: entry } });
      expect(await joined).toEqual({ queueEntry: entry });
    });

    test('sends a command that has waited behind another one which was given up', async () => {
      const { server, plugin } = await begin({ answerLimitMs: 1000, commandLimitMs: 1500 });
      const connection = await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const left = plugin.send('leaveQueue');
      const joined = plugin.send('joinQueue', { queueGuid: 'q' });
      await expect(left).rejects.toThrow('leaveQueue was given up without an answer');
      connection.answer(await connection.next('joinQueue'), { ok: true, data: { queueEntry: entry } });
      expect(await joined).toEqual({ queueEntry: entry });
    });

    test('takes updates in order, an equal version as progress, asks for the match at a gap, and learns an end it has missed', async () => {
      const { server, plugin } = await begin();
      const connection = await (await server.connection()).welcome(helloOf({ match: matchOf(4) }));
      const update = (version: number, type = 'readyChanged', changes = {}) =>
        connection.push('matchUpdated', {
          match: matchOf(version, changes),
          cause: { type, playerGuid: null },
        });
      update(5);
      update(5);
      update(3);
      update(8);
      update(9);
      const asked = await connection.next('getMatchState');
      update(10, 'mapStarted');
      connection.answer(asked, { ok: true, data: { match: matchOf(8) } });
      await plugin.match(({ version }) => version === 10, 'version 10');
      expect(toldMatches(plugin)).toEqual([
        '4 null',
        '5 ReadyChanged',
        '5 ReadyChanged',
        '8 null',
        '8 ReadyChanged',
        '9 ReadyChanged',
        '10 MapStarted',
      ]);
      // By the server's time, which is not the time of this machine.
      const left = await plugin.order('until', { time: matchOf(10).deadlineAt });
      expect(left).toBeGreaterThan(60_000);
      expect(left).toBeLessThanOrEqual(120_000);
      // The match ended while the player was away.
      connection.close();
      const back = await (await server.connection()).welcome(helloOf());
      back.answer(await back.next('getMatchState'), {
        ok: false,
        error: { code: 'SERVICE_UNAVAILABLE', message: 'The database is away.' },
      });
      back.answer(await back.next('getMatchState'), {
        ok: true,
        data: { match: matchOf(12, { status: 'completed', result }) },
      });
      expect(
        await plugin.match(({ status }) => status === 'Completed' || status === 'completed', 'the end'),
      ).toMatchObject({ result });
    });

    test('takes the match that runs after the reconnect, whatever its guid, and before it the end of the earlier one', async () => {
      const { server, plugin } = await begin();
      const [smaller, greater] = [
        '01a00000-0000-7000-8000-000000000000',
        'ff000000-0000-7000-8000-000000000000',
      ];
      const match = (matchGuid: string, version: number, changes = {}) =>
        matchOf(version, { matchGuid, ...changes });
      const first = await (await server.connection()).welcome(helloOf({ match: match(greater, 4) }));
      await plugin.match(({ version }) => version === 4, 'version 4');
      first.close();
      const second = await (await server.connection()).welcome(helloOf({ match: match(smaller, 7) }));
      const asked = await second.next('getMatchState');
      expect(asked.payload).toEqual({ matchGuid: greater });
      second.answer(asked, { ok: true, data: { match: match(greater, 9, { status: 'completed', result }) } });
      await plugin.match(({ version }) => version === 7, 'the running match');
      // A clock that steps back between two matches.
      const cause = { type: 'finished', playerGuid: null };
      second.push('matchUpdated', { match: match(smaller, 8, { status: 'completed', result }), cause });
      second.push('matchUpdated', {
        match: match(smaller.replace('1a', '10'), 1),
        cause: { ...cause, type: 'created' },
      });
      await plugin.match(({ version }) => version === 1, 'the next match');
      expect(toldMatches(plugin)).toEqual(['4 null', '9 null', '7 null', '8 Finished', '1 Created']);
    });

    test('goes back to the versions of a server that was restored from a backup', async () => {
      const { server, plugin } = await begin();
      const first = await (await server.connection()).welcome(helloOf({ match: matchOf(8) }));
      await plugin.match(({ version }) => version === 8, 'version 8');
      first.close();
      const second = await (await server.connection()).welcome(helloOf({ match: matchOf(5) }));
      const cause = { type: 'readyChanged', playerGuid: null };
      second.push('matchUpdated', { match: matchOf(6), cause });
      await plugin.match(({ version }) => version === 6, 'version 6');
      second.close();
      const third = await (await server.connection()).welcome(helloOf());
      const data = { match: matchOf(4, { status: 'completed', result }) };
      third.answer(await third.next('getMatchState'), { ok: true, data });
      await plugin.match(({ version }) => version === 4, 'the end');
      expect(toldMatches(plugin)).toEqual(['8 null', '5 null', '6 ReadyChanged', '4 null']);
    });

    test('waits a day when a refusal says a longer time, and reports an answer that cannot be read', async () => {
      const { server, plugin } = await begin();
      (await server.connection()).refuse('RATE_LIMITED', 1e25);
      const { retryInMs } = await plugin.state('Waiting');
      expect(retryInMs).toBeGreaterThanOrEqual(24 * 3_600_000);
      await plugin.stop();
      const mark = plugin.mark();
      plugin.start();
      const connection = await (await server.connection()).welcome(helloOf());
      await plugin.connected(mark);
      const joined = plugin.send('joinQueue', { queueGuid: 'q' });
      connection.answer(await connection.next('joinQueue'), { ok: 'yes', error: { code: [] } });
      await expect(joined).rejects.toThrow('NoAnswerException: The answer cannot be read');
    });

    test('continues after a message that does not fit: it reports the problem and requests the match', async () => {
      const { server, plugin } = await begin();
      const connection = await (await server.connection()).welcome(helloOf({ match: matchOf(4) }));
      await plugin.match(({ version }) => version === 4, 'version 4');
      const cause = { type: 'somethingNew', playerGuid: null };
      const { rated, ...incomplete } = matchOf(5);
      const wrong: [object, string][] = [
        [{ ...matchOf(5), version: 5.5 }, 'match.version has to be an integer, but is Float 5.5'],
        [{ ...matchOf(5), seedHash: 5 }, 'match.seedHash has to be a text, but is Integer 5'],
        [incomplete, "Required property 'rated' not found in JSON"],
        [{ ...matchOf(5), you: null }, "Required property 'you' expects a value but got null"],
      ];
      for (const [match, problem] of wrong) {
        connection.push('matchUpdated', { match, cause });
        connection.answer(await connection.next('getMatchState'), { ok: true, data: { match: matchOf(4) } });
        await plugin.until(
          ({ told, problem: said }) => told === 'problem' && said.includes(problem),
          problem,
        );
      }
      // Additions of a newer server are ignored.
      connection.push('matchUpdated', {
        match: { ...matchOf(5), status: 'dancing', mood: 'good' },
        cause: { ...cause, how: 'so' },
      });
      const { match, cause: told } = await plugin.until(({ match }) => match?.version === 5, 'version 5');
      expect({ status: match.status, told }).toEqual({ status: 'Unknown', told: 'Unknown' });
      // Invalid JSON ends the connection: the library reads nothing more from it.
      connection.raw('42["matchUpdated",{');
      await (await server.connection()).welcome(helloOf({ match: matchOf(6) }));
      await plugin.match(({ version }) => version === 6, 'version 6');
    });

    test('downloads a plugin again until its checksum is right, and leaves nothing half behind', async () => {
      const { server, plugin } = await begin();
      const bytes = binaryOf(200_000);
      const downloads: string[] = [];
      server.onRequest((request, response) => {
        if (request.url === '/plugin-releases') {
          response.end(releasesOf(server, bytes));
          return;
        }
        downloads.push(String(request.url));
        if (downloads.length === 1) response.writeHead(503).end('nobody is here');
        else if (downloads.length === 2) response.end(binaryOf(200_000));
        else if (downloads.length === 3) {
          response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 1000));
          setImmediate(() => response.destroy());
        } else response.end(bytes);
      });
      const file = path.join(plugins.folder, 'plugin.dll');
      expect(await plugin.order('download', { gameVersion: '1.40.0', path: file })).toMatchObject({
        pluginVersion: '1.4.0',
      });
      expect(downloads).toEqual(Array(4).fill('/plugin-releases/1.40.0/download'));
      expect(sha256Of(await readFile(file))).toBe(sha256Of(bytes));
      await expect(plugin.order('download', { gameVersion: '1.39.1', path: `${file}2` })).rejects.toThrow(
        'RELEASE_NOT_FOUND',
      );
      expect((await readdir(plugins.folder)).filter((name) => name.startsWith('plugin.dll'))).toEqual([
        'plugin.dll',
      ]);
    });

    test('says at once that a file cannot be saved, and does not repeat its requests', async () => {
      const { server, plugin } = await begin();
      const bytes = binaryOf(1000);
      const requests: string[] = [];
      server.onRequest((request, response) => {
        requests.push(String(request.url));
        response.end(request.url === '/plugin-releases' ? releasesOf(server, bytes) : bytes);
      });
      const missingFolder = path.join(plugins.folder, 'nowhere', 'plugin.dll');
      await expect(plugin.order('download', { gameVersion: '1.40.0', path: missingFolder })).rejects.toThrow(
        'DirectoryNotFoundException',
      );
      expect(requests).toEqual([]);
      // In the place of the file is a folder.
      const taken = path.join(plugins.folder, 'taken');
      await mkdir(taken);
      await expect(plugin.order('download', { gameVersion: '1.40.0', path: taken })).rejects.toThrow(
        'IOException',
      );
      expect(requests).toEqual(['/plugin-releases', '/plugin-releases/1.40.0/download']);
      expect((await readdir(plugins.folder)).filter((name) => name.startsWith('taken'))).toEqual(['taken']);
    });

    test('repeats each request whose answer stops in the middle, also more often than a host has connections', async () => {
      const { server, plugin } = await begin({ httpLimitMs: 300 });
      const bytes = binaryOf(4000);
      const answers: Record<string, string | Uint8Array> = {
        '/plugin-releases': releasesOf(server, bytes),
        '/plugin-releases/1.40.0/download': bytes,
        '/queues': JSON.stringify({ items: [], nextCursor: null }),
        '/matches/m/rounds/1/replay': JSON.stringify(published),
      };
      const stalls = new Map<string, number>();
      server.onRequest((request, response) => {
        const url = String(request.url);
        const answer = answers[url] ?? '';
        const count = stalls.get(url) ?? 0;
        stalls.set(url, count + 1);
        request.resume();
        if (count >= 3) response.end(answer);
        // The connection stays open, as in a tunnel.
        else response.writeHead(200, { 'content-length': answer.length }).write(answer.slice(0, 5));
      });
      const file = path.join(plugins.folder, 'stalled.dll');
      const [, , release] = await Promise.all([
        plugin.order('get', { path: 'queues' }),
        plugin.order('upload', { matchGuid: 'm', roundNumber: 1, path: await replayOf() }),
        plugin.order('download', { gameVersion: '1.40.0', path: file }),
      ]);
      expect(release).toMatchObject({ pluginVersion: '1.4.0' });
      expect(sha256Of(await readFile(file))).toBe(sha256Of(bytes));
    });

    test('asks for another token whenever one expires while an upload is tried again', async () => {
      const { server, plugin, asked } = await begin();
      await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const answers = [401, 503, 401];
      server.onRequest((request, response) => {
        request.resume();
        const status = answers.shift();
        if (status === undefined) return response.end(JSON.stringify(published));
        response.writeHead(status);
        const code = status === 401 ? 'TOKEN_EXPIRED' : 'SERVICE_UNAVAILABLE';
        response.end(JSON.stringify({ error: { code, message: 'Not now.' } }));
      });
      const upload = { matchGuid: 'm', roundNumber: 1, path: await replayOf() };
      expect(await plugin.order('upload', upload)).toMatchObject({ verdict: 'verified' });
      expect(asked).toEqual([false, true, true]);
    });

    test('renews a token once for two uploads that were refused with it', async () => {
      const asked: boolean[] = [];
      const { promise: renewal, resolve: renew } = Promise.withResolvers<void>();
      const { server, plugin } = await begin({
        token: async (isRenewal) => {
          asked.push(isRenewal);
          if (isRenewal) await renewal;
          return isRenewal ? 'a new token' : 'an old token';
        },
      });
      await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      let refused = 0;
      server.onRequest((request, response) => {
        request.resume();
        if (request.headers.authorization === 'Bearer a new token')
          return response.end(JSON.stringify(published));
        refused += 1;
        response.writeHead(401);
        response.end(JSON.stringify({ error: { code: 'UNAUTHENTICATED', message: 'Too old.' } }));
        // The game is slow: both uploads are refused before it has a new token.
        if (refused === 2) response.once('finish', renew);
      });
      const upload = { matchGuid: 'm', path: await replayOf() };
      const answers = [1, 2].map((roundNumber) => plugin.order('upload', { ...upload, roundNumber }));
      for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ verdict: 'verified' });
      expect(refused).toBe(2);
      expect(asked).toEqual([false, true]);
    });

    test('renews a token that was given for an upload when that has expired too', async () => {
      const { server, plugin, asked } = await begin();
      const connection = await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      server.onRequest((request, response) => {
        request.resume();
        if (request.headers.authorization !== 'Bearer token 1')
          return response.end(JSON.stringify(published));
        response.writeHead(401);
        response.end(JSON.stringify({ error: { code: 'UNAUTHENTICATED', message: 'Too old.' } }));
      });
      await plugin.order('upload', { matchGuid: 'm', roundNumber: 1, path: await replayOf() });
      connection.push('serverNotice', { type: 'tokenExpired', message: 'Too old.', retryAfterMs: null });
      connection.close();
      const second = await server.connection();
      expect(second.auth.token).toBe('token 2');
      second.refuse('TOKEN_EXPIRED');
      expect((await server.connection()).auth.token).toBe('token 3');
      expect(asked).toEqual([false, true, true]);
    });

    test('gives an upload up when the service asks to wait longer than uploads are tried', async () => {
      const { server, plugin } = await begin();
      await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      server.onRequest((request, response) => {
        request.resume();
        response.writeHead(429, { 'retry-after': '86400' });
        response.end(
          JSON.stringify({ error: { code: 'REPLAY_QUOTA_EXCEEDED', message: 'Enough for today.' } }),
        );
      });
      const upload = { matchGuid: 'm', roundNumber: 1, path: await replayOf() };
      await expect(plugin.order('upload', upload)).rejects.toThrow('Given up: ');
    });

    test('asks for another token once when an upload is refused, and reports the refusal of the other token', async () => {
      const { server, plugin, asked } = await begin();
      await (await server.connection()).welcome(helloOf());
      await plugin.connected();
      const tokens: unknown[] = [];
      let accepted: string | null = 'Bearer token 2';
      server.onRequest((request, response) => {
        tokens.push(request.headers.authorization);
        request.resume();
        if (request.headers.authorization === accepted) return response.end(JSON.stringify(published));
        response.writeHead(401);
        response.end(JSON.stringify({ error: { code: 'UNAUTHENTICATED', message: 'Who are you?' } }));
      });
      const upload = { matchGuid: 'm', roundNumber: 1, path: await replayOf() };
      expect(await plugin.order('upload', upload)).toMatchObject({ verdict: 'verified' });
      accepted = null;
      await expect(plugin.order('upload', upload)).rejects.toThrow('UNAUTHENTICATED: Who are you?');
      expect(tokens).toEqual([1, 2, 2, 3].map((nth) => `Bearer token ${nth}`));
      expect(asked).toEqual([false, true, true]);
    });
  },
);
