import { setTimeout as sleep } from 'node:timers/promises';
import { connectHttp, requestOf } from './http-client.ts';
import type { Arena } from './matches-arena.ts';
import { messageOf, type ThinClient } from './thin-client.ts';

/** How long honest people waited, in milliseconds. A wait begins when the request is due, not when it is sent. */
export interface Waits {
  acknowledgements: number[];
  health: number[];
  /** Refusals and broken connections. Each also counts as an infinite wait. */
  failures: string[];
}

const HEALTH_EVERY_MS = 20;
/** Connections that ask for the health by turns. */
const PROBES = 20;
const COMMAND_EVERY_MS = 500;

/** Repeats `work` at fixed times until it fails. @returns how long each took, from when it was due */
async function atFixedTimes(
  everyMs: number,
  forMs: number,
  failures: string[],
  work: (nth: number) => Promise<unknown>,
): Promise<number[]> {
  const startedAt = performance.now();
  const waits: number[] = [];
  for (let due = Math.random() * everyMs; due < forMs; due += everyMs) {
    await sleep(Math.max(0, startedAt + due - performance.now()));
    try {
      await work(waits.length);
    } catch (error) {
      failures.push(String(error));
      return [...waits, Number.POSITIVE_INFINITY];
    }
    waits.push(performance.now() - startedAt - due);
  }
  return waits;
}

/**
 * The commands one player of a match repeats. The first player is ready and not ready by turns, so the preparing phase
 * goes on.
 */
function commandsOf(matchGuid: string, nth: number): Buffer[] {
  const look = messageOf('getMatchState', { matchGuid });
  const say = (state: string, progress?: number) =>
    messageOf('setReady', { matchGuid, roundNumber: 1, state, progress });
  return nth === 0
    ? [say('ready'), look, say('downloading'), look]
    : [say('downloading', 0.25), look, say('downloading', 0.5), look];
}

const OK = Buffer.from('[{"ok":true');

async function command(player: ThinClient, message: Buffer): Promise<void> {
  const answer = await player.ask(message);
  const from = answer.indexOf(0x5b);
  if (!answer.subarray(from, from + OK.length).equals(OK)) throw new Error(`It was answered ${answer}`);
}

/**
 * Asks for the health from several connections by turns: a probe does not wait for the answer to the one before, so
 * that one slow answer counts once.
 */
async function watchHealth(port: number, forMs: number, failures: string[]): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: PROBES }, () => connectHttp(port)));
  const ask = requestOf('/health');
  try {
    const waits = await Promise.all(
      probes.map((probe) =>
        atFixedTimes(PROBES * HEALTH_EVERY_MS, forMs, failures, async () => {
          const { status } = await probe.ask(ask);
          if (status !== 200) throw new Error(`/health was answered ${status}`);
        }),
      ),
    );
    return waits.flat();
  } finally {
    for (const probe of probes) probe.close();
  }
}

/** All honest players play and somebody asks for the health, for so long. */
export async function playFor({ matches, service }: Arena, forMs: number): Promise<Waits> {
  const failures: string[] = [];
  const [health, ...acknowledgements] = await Promise.all([
    watchHealth(service.port, forMs, failures),
    ...matches.flatMap(({ matchGuid, players }) =>
      players.map((player, nth) => {
        const messages = commandsOf(matchGuid, nth);
        return atFixedTimes(COMMAND_EVERY_MS, forMs, failures, (turn) =>
          command(player, messages[turn % messages.length] as Buffer),
        );
      }),
    ),
  ]);
  return { health: health ?? [], acknowledgements: acknowledgements.flat(), failures };
}

/** Every limit that counts in the honest players' matches. */
export async function limitsOf({ matches }: Arena): Promise<string[]> {
  const all = matches.map(async ({ matchGuid, players: [one] }) => {
    const { match } = await one.call('getMatchState', { matchGuid });
    const { status, deadlineAt, you, opponent } = match;
    return [
      status,
      deadlineAt,
      you.presence,
      opponent.presence,
      you.awayDeadlineAt,
      opponent.awayDeadlineAt,
    ].join(' ');
  });
  return Promise.all(all);
}

export const cutOff = ({ matches }: Arena): number =>
  matches.flatMap(({ players }) => players).filter((player) => !player.isConnected()).length;
