import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { operations } from '../kit/typescript/http.ts';
import {
  ask,
  connectPlayer,
  type PlayerSocket,
  type ToClient,
  type ToServer,
} from '../kit/typescript/socket.ts';
import { openExhibition, PLAYERS } from '../src/local/exhibition.ts';
import { seededRandomness } from '../src/local/random.ts';
import { meetAnybody, seed } from '../src/local/seed.ts';
import { startStack } from '../src/local/stack.ts';

/**
 * `node scripts/examples.ts` writes `src/examples.json`: what a service was really asked and what it really answered, for
 * each operation of the HTTP reference and each message of the socket. Needed when a shape or a route was added; the linter of
 * the references says when an example does not fit its shape any more.
 */

const root = path.join(import.meta.dirname, '..');
const DEPLOY_SECRET = 'a-secret-of-the-build-pipeline-123';
/** In front of every address in an answer. */
const BASE_URL = 'https://matches.example.org';

type Json = null | boolean | number | string | Json[] | { [member: string]: Json };
type Content = { content: { 'application/json': unknown } };
/** The data of a success. */
type AnswerOf<Name extends keyof operations> = operations[Name]['responses'] extends { 200: infer Answer }
  ? Answer extends Content
    ? Answer['content']['application/json']
    : string
  : operations[Name]['responses'] extends { 201: infer Answer }
    ? Answer extends Content
      ? Answer['content']['application/json']
      : string
    : null;

interface Operation {
  operationId: keyof operations;
  'x-roles'?: string[];
  security: object[];
  responses: Record<string, { content?: object }>;
}
const { paths } = JSON.parse(await readFile(path.join(root, 'docs/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>;
};
const routes = Object.entries(paths).flatMap(([url, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ url, method, ...operation })),
);

const MOST_ITEMS = 2;
const LONGEST = 160;
const examples = {
  http: {} as Record<string, { request?: Json; response?: Json }>,
  socket: {} as Record<string, { payload: Json; data?: Json }>,
};

const stack = await startStack({
  ports: { service: 0, identityProvider: 0, mapHost: 0 },
  environment: {
    BASE_URL,
    DEPLOY_SECRET,
    RATE_LIMIT_FACTOR: '0',
    SCORE_EARLIEST_SHARE: '0',
    COUNTDOWN_SECONDS: '0.1',
    ROUND_RESULTS_SECONDS: '0.1',
    MATCHMAKING_INTERVAL_MS: '50',
    REMATCH_SECONDS: '0.001',
  },
  randomness: seededRandomness('examples'),
});

/** As much of a value as an example needs, without addresses of this machine. */
function shortened(value: unknown): Json {
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(shortened);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
  if (typeof value !== 'string') return value as Json;
  const text = value.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'https://maps.example.org');
  return text.length > LONGEST && !text.includes(' ') ? `${text.slice(0, LONGEST)}` : text;
}

interface Asked {
  path?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  type?: string;
  as?: 'admin' | 'pooler-one' | 'pooler-two';
  /** Instead of the token of an account. */
  token?: string;
}

/** Asks and keeps the first success as the example. @throws Error when it is refused */
async function call<Name extends keyof operations>(
  operationId: Name,
  asked: Asked = {},
): Promise<AnswerOf<Name>> {
  const operation = routes.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
  const {
    as = operation['x-roles']?.includes('role:admin') ? 'admin' : 'pooler-one',
    body,
    type = 'application/json',
  } = asked;
  const token =
    operation.security.length > 0 ? (asked.token ?? (await stack.identityProvider.accountToken(as))) : null;
  const address = operation.url.replaceAll(/\{(\w+)\}/g, (_, name) => String(asked.path?.[name]));
  const answer = await fetch(`${stack.url}${address}?${new URLSearchParams(asked.query)}`, {
    method: operation.method.toUpperCase(),
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': type }),
    },
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${operationId} was refused with ${answer.status}: ${text}`);
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  // A table is cut to the names of its columns and a few rows.
  const response = isJson ? JSON.parse(text) : text.split('\n').slice(0, 3).join('\n');
  examples.http[operationId] ??= {
    ...(body !== undefined && { request: shortened(body) }),
    ...(text !== '' && !text.includes('\u0000') && { response: shortened(response) }),
  };
  return response;
}

/**
 * Reads a stream of events.
 * @returns waits for an event of each wanted name, leaves the stream, and keeps the first event of each name as the example
 */
async function listen(operationId: keyof operations, address: string) {
  const leaving = new AbortController();
  const answer = await fetch(`${stack.url}${address}`, { signal: leaving.signal });
  if (answer.body === null) throw new Error(`${operationId} was refused with ${answer.status}`);
  const data: Record<string, Json> = {};
  const { body } = answer;
  const reading = (async () => {
    let text = '';
    for await (const bytes of body.pipeThrough(new TextDecoderStream())) {
      const events = (text + bytes).split('\n\n');
      text = events.pop() ?? '';
      for (const [, name = '', json = ''] of events.map((one) => /event: (\w+)\ndata: (.*)/.exec(one) ?? []))
        if (json !== '') data[name] ??= shortened(JSON.parse(json));
    }
  })().catch(() => undefined);
  return async (wanted: readonly string[]): Promise<void> => {
    while (wanted.some((name) => data[name] === undefined)) await sleep(100);
    leaving.abort();
    await reading;
    examples.http[operationId] = { response: data };
  };
}

/** A thing that the run before has made. */
function there<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('Nothing was made.');
  return value;
}

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** The work of staff, from a new season to a queue that is closed again. */
async function curate(): Promise<Record<string, string>> {
  const { seasonGuid } = await call('createSeason', {
    body: { name: 'Spring 2027', startsAt: inDays(100), endsAt: inDays(190) },
  });
  await call('updateSeason', { path: { seasonGuid }, body: { name: 'Spring' } });
  const { categoryGuid } = await call('createMapCategory', { body: { name: 'Stamina', color: '#EF476F' } });
  await call('updateMapCategory', { path: { categoryGuid }, body: { position: 3 } });
  const [hash = ''] = await call('listMapHashes');
  const { poolGuid } = await call('createPool', { body: { seasonGuid, name: 'Spring pol' } });
  const at = { path: { poolGuid } };
  await call('renamePool', { ...at, body: { name: 'Spring pool' } });
  const listed = await call('listPools');
  const { maps } = await call('getPoolWithMaps', { path: { poolGuid: there(listed.items[0]).poolGuid } });
  const [one, ...more] = maps.map(({ key, characteristic, difficulty, modifiers }) => ({
    key,
    characteristic,
    difficulty,
    categoryGuid,
    modifiers,
  }));
  const { mapGuid } = await call('addMapToPool', { ...at, body: one });
  await call('addMapsToPool', { ...at, body: { maps: more.slice(0, 10) } });
  await call('updateMapOfPool', { path: { poolGuid, mapGuid }, body: { modifiers: ['FS'] } });
  const dry = { ...at, query: { dryRun: 'true', categoryGuid } };
  const last = there(maps.at(-1));
  const row = `key,characteristic,difficulty\n${last.key},${last.characteristic},${last.difficulty}\n`;
  await call('importPoolFromCsv', { ...dry, body: row, type: 'text/csv' });
  const difficulties = [{ characteristic: last.characteristic, name: last.difficulty }];
  await call('importPoolFromPlaylist', { ...dry, body: { songs: [{ hash: last.hash, difficulties }] } });
  await call('copyPool', { ...at, body: { name: 'Spring pool, corrected' } });
  await call('submitPool', at);
  await call('reviewPool', {
    ...at,
    as: 'pooler-two',
    body: { verdict: 'approve', comment: 'Good to play.' },
  });
  await call('publishPool', at);
  const { queueGuid } = await call('createQueue', { body: { name: 'Spring queue', poolGuid } });
  for (const action of ['updateQueue', 'openQueue', 'drainQueue', 'closeQueue'] as const)
    await call(action, {
      path: { queueGuid },
      ...(action === 'updateQueue' && { body: { rules: { maxDiscards: 1 } } }),
    });
  return { seasonGuid, categoryGuid, poolGuid, hash };
}

/** A player whose messages become examples. */
async function player(name: string, platformId: string): Promise<PlayerSocket> {
  const token = await stack.identityProvider.gameToken({ platformId, username: name });
  const auth = { token, pluginVersion: stack.pluginVersion, gameVersion: '1.40.0' };
  const socket = await connectPlayer(stack.url, auth);
  examples.socket.connect ??= { payload: { ...auth, token: 'eyJhbGciOiJSUzI1NiJ9.…' } };
  socket.onAny((event: string, payload: unknown) => {
    examples.socket[event] ??= { payload: shortened(payload) };
  });
  return socket;
}

async function say<Event extends keyof ToServer>(
  socket: PlayerSocket,
  event: Event,
  payload: ToServer[Event]['payload'],
): Promise<ToServer[Event]['data']> {
  const data = await ask(socket, event, payload);
  examples.socket[event] ??= { payload: shortened(payload), data: shortened(data) };
  return data;
}

type Match = ToClient['matchUpdated']['match'];

/** The next match that this player is shown in one of these phases. */
const phase = (socket: PlayerSocket, ...statuses: Match['status'][]): Promise<Match> =>
  new Promise((resolve) => {
    const look = ({ match }: ToClient['matchUpdated']): void => {
      if (!statuses.includes(match.status)) return;
      socket.off('matchUpdated', look);
      resolve(match);
    };
    socket.on('matchUpdated', look);
  });

/** Two players with every message, up to the first score and a forfeit. @returns the match */
async function playTwo(queueGuid: string): Promise<string> {
  const [a, b] = [
    await player('Astra', PLAYERS[0].platformId),
    await player('Borealis', PLAYERS[1].platformId),
  ];
  const both = [a, b];
  const begun = both.map((one) => phase(one, 'waiting_players'));
  await say(a, 'joinQueue', { queueGuid });
  await say(a, 'hello', {});
  await say(b, 'leaveQueue', {});
  await say(b, 'joinQueue', { queueGuid });
  const [{ matchGuid }] = await Promise.all(begun as [Promise<Match>, Promise<Match>]);
  let next = both.map((one) => phase(one, 'awaiting_discards'));
  for (const one of both) await say(one, 'joinMatch', { matchGuid });
  const [dealt] = await Promise.all(next as [Promise<Match>]);
  next = both.map((one) => phase(one, 'awaiting_pick'));
  await say(a, 'discardMaps', { matchGuid, cardGuids: [dealt.you.hand?.[0]?.cardGuid ?? ''] });
  await say(b, 'discardMaps', { matchGuid, cardGuids: [] });
  const views = await Promise.all(next);
  const [picker, hand] =
    views[0]?.pickerGuid === views[0]?.you.player?.playerGuid ? [a, views[0]] : [b, views[1]];
  next = both.map((one) => phase(one, 'playing'));
  const { match: picked } = await say(picker, 'selectMap', {
    matchGuid,
    cardGuid: hand?.you.hand?.[1]?.cardGuid ?? '',
  });
  const { roundNumber } = picked;
  await say(a, 'setReady', { matchGuid, roundNumber, state: 'downloading', progress: 0.4 });
  examples.socket.setReady = {
    ...examples.socket.setReady,
    payload: { matchGuid, roundNumber, state: 'downloading', progress: 0.4 },
  };
  for (const one of both) await ask(one, 'setReady', { matchGuid, roundNumber, state: 'ready' });
  const [playing] = await Promise.all(next);
  const rawScore = Math.floor((playing?.currentMap?.maxScore ?? 0) * 0.9);
  const score = {
    rawScore,
    modifiedScore: rawScore,
    missCount: 3,
    badCutCount: 1,
    fullCombo: false,
    noFailTriggered: false,
    failed: false,
  };
  await say(a, 'submitScore', { matchGuid, roundNumber, ...score }).catch(() =>
    say(a, 'submitScore', { matchGuid, roundNumber, ...score, modifiedScore: Math.floor(rawScore * 1.08) }),
  );
  await say(a, 'getMatchState', { matchGuid });
  await say(b, 'forfeit', { matchGuid });
  const aborted = phase(a, 'waiting_players');
  for (const one of both) await ask(one, 'joinQueue', { queueGuid });
  const running = await aborted;
  await call('previewResult', {
    path: { matchGuid: running.matchGuid },
    body: { outcome: 'draw', winnerGuid: null },
  });
  await call('abortMatch', {
    path: { matchGuid: running.matchGuid },
    body: { reason: 'The map host is down.' },
  });
  // Takes the place of the connection before, which is told.
  const told = new Promise((resolve) => a.once('serverNotice', resolve));
  const again = await player('Astra', PLAYERS[0].platformId);
  await told;
  for (const one of [a, b, again]) one.disconnect();
  return matchGuid;
}

try {
  const { queueGuid } = await seed(stack);
  await meetAnybody(stack, queueGuid);
  const release = await fetch(`${stack.url}/internal/plugin-releases/1.40.0`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${DEPLOY_SECRET}`,
      'content-type': 'application/octet-stream',
      'x-service-plugin-version': stack.pluginVersion,
    },
    body: await readFile(path.join(root, 'src/local/map-host/map.zip')),
  });
  if (!release.ok) throw new Error(await release.text());
  const exhibition = await openExhibition({
    stack,
    queueGuid,
    fractionFor: (name) => seededRandomness(`examples ${name}`).fraction,
    thinkMs: 5,
    songMs: () => 0,
    stream: process.stdout,
    cheat: true,
  });
  const [view] = await exhibition.play();
  exhibition.close();
  const { matchGuid } = view;
  const playerGuid = view.you.player?.playerGuid ?? '';
  const known: Record<string, string> = {
    ...(await curate()),
    queueGuid,
    matchGuid,
    playerGuid,
    gameVersion: '1.40.0',
  };
  const reviews = await call('listReplayReviews');
  const { reviewGuid, replay } = there(reviews.items[0]);
  known.replayGuid = there(replay).replayGuid;
  known.reviewGuid = reviewGuid;
  await call('resolveReplayReview', {
    path: { reviewGuid },
    body: { decision: 'upheld', comment: 'It claims more than it shows.' },
  });
  const { platformId = '', username = '' } = view.you.player ?? {};
  const token = await stack.identityProvider.gameToken({ platformId, username });
  const reported = there(view.opponent.player).playerGuid;
  const { reportGuid } = await call('reportPlayer', {
    token,
    body: {
      matchGuid,
      playerGuid: reported,
      reason: 'stalling',
      comment: 'Waits for the last second each time.',
    },
  });
  await call('listReports');
  await call('decideReport', {
    path: { reportGuid },
    body: { status: 'dismissed', comment: 'Within the limits of the phases.' },
  });
  await call('getMyStanding', { token });
  const at = { path: { playerGuid } };
  await call('setRolesOfPlayer', { ...at, body: { roles: ['role:pooler'] } });
  const { banGuid } = await call('banPlayer', {
    ...at,
    body: { reason: 'Claimed scores', until: inDays(7) },
  });
  known.banGuid = banGuid;
  await call('liftBan', { path: { playerGuid, banGuid } });
  const heard = await listen('followAll', '/events');
  await playTwo(queueGuid);
  await heard(['snapshot', 'queue', 'matchStarted', 'matchFinished']);
  await (await listen('followMatch', `/matches/${matchGuid}/events`))(['match', 'end']);
  known.poolGuid = (await call('getQueue', { path: { queueGuid } })).poolGuid;
  const { maps } = await call('getPoolWithMaps', { path: known });
  known.categoryGuid = there(maps[0]).categoryGuid;
  const queries: Partial<Record<keyof operations, Record<string, string>>> = {
    findPlayers: { query: 'astra' },
    lookUpMap: { key: there(maps[0]).key },
  };
  for (const { operationId, method, url, responses } of routes) {
    const hasBody = Object.keys(responses['200']?.content ?? {}).some((type) =>
      /json|text\/(csv|plain)/.test(type),
    );
    if (method !== 'get' || !hasBody || url.startsWith('/docs') || /(openapi|socket-docs)\.json/.test(url))
      continue;
    if (operationId === 'downloadPluginSignature') continue;
    await call(operationId, {
      path: known,
      query: queries[operationId] ?? {},
      ...(operationId === 'exportPlayer' && { as: 'admin' }),
    });
  }
  const { replayGuid, verdict, checks } = await call('getReplay', { path: known });
  examples.http.publishReplay = { response: shortened({ replayGuid, verdict, checks }) };
  await call('decideMatch', {
    path: { matchGuid },
    body: { outcome: 'draw', reason: 'Both replays are missing.' },
  });
  await call('undoMatch', { path: { matchGuid }, body: { reason: 'One of them cheated.' } });
  await call('erasePlayer', { path: { playerGuid }, as: 'admin', body: { confirm: playerGuid } });
  await call('retirePool', { path: { poolGuid: known.poolGuid } });
} finally {
  await stack.stop();
}
const refusal = (code: string, message: string) => ({ code, message });
examples.socket.refused = {
  payload: { ok: false, error: refusal('NOT_YOUR_TURN', 'It is your opponent’s turn to pick.') },
};
examples.socket.connected = { payload: { sid: 'Zf3kQ2vLx1p9AAAB' } };
examples.socket.connectError = {
  payload: {
    message: 'RATE_LIMITED',
    data: { ...refusal('RATE_LIMITED', 'Too many requests. Try again a little later.'), retryAfterMs: 4200 },
  },
};
await writeFile(path.join(root, 'src/examples.json'), `${JSON.stringify(examples, null, 1)}\n`);
console.log(
  `${Object.keys(examples.http).length} operations, ${Object.keys(examples.socket).length} messages.`,
);
