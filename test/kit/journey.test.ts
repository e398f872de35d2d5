import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { modifiedScoreOf } from '../../src/domains/matches/index.ts';
import { matchView } from '../../src/domains/matches/schemas.ts';
import { playMap } from '../../src/local/play.ts';
import { type FaultyProxy, startFaultyProxy } from '../harness/faulty-proxy.ts';
import { letSilencePass, openNodes, type ServiceNode, type ServiceNodes } from '../harness/nodes.ts';
import { platformIdOf } from '../harness/service.ts';
import { scoreOf } from '../harness/socket-player.ts';
import { kits, missing, type Plugin, type Plugins, PRESENT, startPlugins } from './plugins.ts';

const isMissing = missing();

describe.skipIf(isMissing !== null).each(kits())(
  `plugins made of $name${isMissing ? `: ${isMissing}` : ''}`,
  (kit) => {
    let plugins: Plugins;
    let nodes: ServiceNodes;
    let node: ServiceNode;
    let proxy: FaultyProxy;
    beforeAll(async () => {
      [plugins, nodes] = await Promise.all([startPlugins(kit), openNodes()]);
      node = await nodes.start();
      proxy = await startFaultyProxy(node.url);
    });
    afterAll(async () => {
      await plugins.stop();
      await proxy.stop();
      await nodes.stop();
    });

    /** A player whose token is as old as the test says, until the plugin asks for another one. */
    const playerOf = (name: string) => {
      const tokenFor = (seconds?: number) =>
        nodes.identityProvider.gameToken({ platformId: platformIdOf(name), username: name }, seconds);
      let token = tokenFor();
      return {
        expire: () => {
          token = tokenFor(-120);
        },
        token: (renew: boolean) => {
          if (renew) token = tokenFor();
          return token;
        },
      };
    };
    const open = (
      name: string,
      player = playerOf(name),
      client = name,
      address = node.url,
    ): Promise<Plugin> =>
      plugins.open(client, {
        address,
        token: player.token,
        answerLimitMs: 1500,
        firstPauseMs: 100,
        longestPauseMs: 400,
      });

    test.runIf(kit === PRESENT)('are told of a refusal within five seconds, with advice', async () => {
      const old = await plugins.open('Olga', {
        address: node.url,
        token: playerOf('Olga').token,
        pluginVersion: '0.9.0',
      });
      old.start();
      await old.state('Refused');
      // The second time everything is compiled.
      const begun = performance.now();
      const mark = old.mark();
      old.start();
      const { code, remedy, message } = await old.state('Refused', mark);
      expect(performance.now() - begun).toBeLessThan(5000);
      expect({ code, remedy }).toEqual({ code: 'PLUGIN_VERSION_NOT_ACCEPTED', remedy: 'UpdatePlugin' });
      expect(message).toContain('1.0.0');
    });

    test('play a match through an expired token, a takeover, a half-open connection, a kill and a restart', async () => {
      const annas = playerOf('Anna');
      annas.expire();
      const anna = await open('Anna', annas, 'Anna', proxy.url);
      const bert = await open('Bert');
      const both = [anna, bert] as const;
      for (const player of both) player.start();
      await Promise.all(both.map((player) => player.connected()));
      expect(anna.told().find(({ state }) => state === 'Waiting')).toMatchObject({
        code: 'TOKEN_EXPIRED',
        remedy: 'NewToken',
      });

      for (const player of both) await player.send('joinQueue', { queueGuid: nodes.queueGuid });
      const [{ matchGuid }] = await Promise.all(both.map((player) => player.match(() => true, 'a match')));
      await Promise.all(both.map((player) => player.send('joinMatch', { matchGuid })));
      await expect(bert.send('selectMap', { matchGuid, cardGuid: matchGuid })).rejects.toThrow('WRONG_PHASE');
      await Promise.all(both.map((player) => player.send('discardMaps', { matchGuid, cardGuids: [] })));
      const { pickerGuid, you } = await anna.match(({ status }) => status === 'awaiting_pick', 'the pick');

      // A second copy of the plugin takes the seat; the first one does not take it back by itself.
      const copy = await open('Anna', annas, "Anna's other computer");
      copy.start();
      expect((await copy.match(() => true, 'the match')).matchGuid).toBe(matchGuid);
      await anna.state('Replaced');
      const mark = anna.mark();
      anna.start();
      await anna.connected(mark);
      await copy.state('Replaced');

      // The tunnel: nothing gets through, and nobody closes anything.
      proxy.stall();
      proxy.resume();
      const picker = pickerGuid === you.player.playerGuid ? anna : bert;
      const hand = (await picker.match(({ status }) => status === 'awaiting_pick', 'the pick')).you.hand;
      const lost = anna.send('getMatchState', { matchGuid });
      await picker.send('selectMap', { matchGuid, cardGuid: hand[0].cardGuid });
      await lost;
      const { roundNumber, currentMap } = await anna.match(
        ({ status }) => status === 'preparing',
        'the picked map',
      );
      anna.progress({ matchGuid, roundNumber, progress: 0.5 });
      await bert.match(({ opponent }) => opponent.progress === 0.5, 'the progress');
      await Promise.all(
        both.map((player) => player.send('setReady', { matchGuid, roundNumber, state: 'ready' })),
      );
      await Promise.all(
        both.map((player) => player.match(({ status }) => status === 'playing', 'the start')),
      );

      // Killed while they play; the token has expired meanwhile.
      annas.expire();
      await node.process.kill();
      const play = { matchGuid, roundNumber, ...scoreOf(currentMap, 0.9) };
      const kill = [anna.mark(), bert.mark()] as const;
      const submitted = anna.send('submitScore', play);
      await letSilencePass(nodes.database);
      const again = await node.startAgain();
      expect((await submitted).match.you.scoreSubmitted).toBe(true);
      await Promise.all([anna.connected(kill[0]), bert.connected(kill[1])]);
      const replay = playMap({
        map: currentMap,
        player: { platformId: platformIdOf('Anna'), name: 'Anna' },
        accuracy: 0.9,
        seed: 'Anna',
        startedAt: Date.now(),
        gameVersion: '1.40.0',
      }).replay;
      const file = path.join(plugins.folder, 'round-1.bsor');
      await writeFile(file, replay);

      // Stopped as a signal stops it, and the replay is uploaded meanwhile.
      const stop = [anna.mark(), bert.mark()] as const;
      await again.stop({ drainMs: 10, finishMs: 10_000 });
      const uploaded = anna.order('upload', { matchGuid, roundNumber, path: file });
      await letSilencePass(nodes.database);
      await node.startAgain();
      expect(await uploaded).toMatchObject({
        verdict: 'mismatch',
        checks: expect.arrayContaining([expect.objectContaining({ name: 'mapHash', ok: true })]),
      });
      for (const [player, from] of [
        [anna, stop[0]],
        [bert, stop[1]],
      ] as const) {
        await player.connected(from);
        expect(
          await player.until(({ told, type }) => told === 'notice' && type === 'Draining', 'the stop', from),
        ).toBeDefined();
      }
      await bert.send('submitScore', { ...play, ...scoreOf(currentMap, 0.5) });
      const [round] = (await bert.match(({ rounds }) => rounds.length === 1, 'the round')).rounds;
      expect(round.scores.map(({ replay: verdict }: { replay: string }) => verdict).toSorted()).toEqual([
        'mismatch',
        'missing',
      ]);
      await bert.send('forfeit', { matchGuid });
      const { result } = await anna.match(({ status }) => status === 'completed', 'the end');
      expect(result).toMatchObject({ outcome: 'win', reason: 'forfeit' });

      // Every answer of the service fits the classes of the kit, and the other way round.
      const strict = z.strictObject(matchView.shape);
      for (const line of plugins.lines) {
        expect(line).toMatchObject({ onGameThread: true });
        if (line.told === 'match') {
          strict.parse(line.match);
          expect(line.isClients).toBe(true);
        }
      }
      for (const request of [
        'server/status',
        'queues',
        `matches/${matchGuid}`,
        `leaderboards/${nodes.queueGuid}`,
      ])
        expect(await anna.order('get', { path: request })).toBeDefined();
      await Promise.all(both.map((player) => player.stop()));
      await anna.state('Stopped');
    });

    test.runIf(kit === PRESENT)('count modified scores as the service does', async () => {
      const codes = [
        'NF',
        'NW',
        'NB',
        'NA',
        'SS',
        'FS',
        'SFS',
        'IF',
        '4L',
        'DA',
        'GN',
        'PM',
        'SA',
        'SN',
        'ZM',
      ];
      const cases = codes.flatMap((code, at) =>
        [1, 777_777, 1_000_000].map((rawScore) => ({
          rawScore,
          modifiers: [code, ...codes.slice(0, at % 5)],
          noFailTriggered: at % 2 === 0,
        })),
      );
      const counter = await open('Counter');
      expect(await counter.order('modified', { cases })).toEqual(
        cases.map(({ rawScore, modifiers, noFailTriggered }) =>
          modifiedScoreOf(rawScore, modifiers, noFailTriggered),
        ),
      );
    });
  },
);
