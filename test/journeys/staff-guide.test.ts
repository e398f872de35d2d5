import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inherited } from '../harness/process.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { meet, playRound } from '../harness/socket-player.ts';

/** Whether this machine has the programs that the guide needs. */
function hasTools(): boolean {
  try {
    const version = execFileSync('curl', ['--version'], { encoding: 'utf8' });
    const [major = 0, minor = 0] = (/^curl (\d+)\.(\d+)/.exec(version) ?? []).slice(1).map(Number);
    execFileSync('bash', ['--version']);
    return major > 7 || (major === 7 && minor >= 76);
  } catch {
    return false;
  }
}
const isReady = hasTools();

interface Step {
  heading: string;
  commands: string;
  /** Null where the guide shows none. */
  output: string | null;
}

/** The blocks of the guide in their order, each with the output that is shown for it. */
function stepsOf(guide: string): Step[] {
  const steps: Step[] = [];
  let heading = '';
  for (const [, title, kind, text = ''] of guide.matchAll(/^## (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    else if (kind === 'bash') steps.push({ heading, commands: text, output: null });
    else {
      const before = steps.at(-1);
      if (kind !== 'output' || before === undefined || before.output !== null)
        throw new Error(`A block of ${kind} under '${heading}' belongs to no command.`);
      before.output = text;
    }
  }
  return steps;
}

/** One shell from the first block to the last, as a reader of the guide has it. */
function openShell(environment: Record<string, string>) {
  const shell = spawn('bash', ['-euo', 'pipefail'], {
    env: { ...inherited, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  let errors = '';
  let wake = () => {};
  shell.stdout.on('data', (chunk) => {
    said += chunk;
    wake();
  });
  shell.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  shell.on('close', () => wake());
  const END = '-- end of block --\n';
  return {
    /** Types these commands and returns what they print. @throws when one of them fails */
    run: async (commands: string): Promise<string> => {
      said = '';
      shell.stdin.write(`${commands}\nprintf '%s' '${END}'\n`);
      while (!said.endsWith(END)) {
        if (shell.exitCode !== null) throw new Error(`It failed after: ${said}\n${errors}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return said.slice(0, -END.length);
    },
    close: () => shell.stdin.end(),
  };
}

describe.skipIf(!isReady)(`the staff guide${isReady ? '' : ' (skipped: needs bash and curl 7.76)'}`, () => {
  const steps = stepsOf(readFileSync(new URL('../../docs/staff-guide.md', import.meta.url), 'utf8'));
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  /** Values that the reader of the guide fills in. */
  const fillIn: Record<string, () => Promise<string>> = {
    RUNNING_MATCH: () => beginMatch('Anna', 'Bert'),
    ENDED_MATCH: async () => {
      const [carl, dora] = [await service.connect('Carl'), await service.connect('Dora')];
      const matchGuid = await meet(carl, dora, await openQueue());
      await Promise.all([carl, dora].map((one) => one.do('discardMaps', { matchGuid, cardGuids: [] })));
      await playRound(carl, dora, 0.9, 0.8);
      await carl.status('round_results', 'awaiting_pick');
      await dora.do('forfeit', { matchGuid });
      await carl.status('completed');
      return matchGuid;
    },
    PLAYER: async () => 'Carl',
  };
  const openQueue = async (): Promise<string> =>
    (await service.request(null, 'GET', '/queues')).body.items[0].queueGuid;
  const beginMatch = async (one: string, other: string): Promise<string> =>
    meet(await service.connect(one), await service.connect(other), await openQueue());

  test('works as written', async () => {
    const token = (account: 'admin' | 'pooler-one' | 'pooler-two') =>
      service.identityProvider.accountToken(account);
    const shell = openShell({
      API: service.url,
      ADMIN_TOKEN: await token('admin'),
      POOLER_TOKEN: await token('pooler-one'),
      REVIEWER_TOKEN: await token('pooler-two'),
    });
    expect(steps.length).toBeGreaterThan(15);
    for (const { heading, commands, output } of steps) {
      for (const [name, value] of Object.entries(fillIn)) {
        if (!commands.includes(`$${name}`)) continue;
        await shell.run(`${name}=${await value()}`);
        delete fillIn[name];
      }
      const printed = await shell.run(commands);
      expect(printed, `${heading}\n${commands}`).toBe(output ?? '');
    }
    shell.close();
    expect(Object.keys(fillIn)).toEqual([]);
  }, 120_000);

  test('leaves all its changes in the audit log, with the state before and after', async () => {
    const { body } = await service.request('admin', 'GET', '/audit-log?limit=100');
    const shapes: Record<string, string> = {};
    for (const { action, before, after } of body.items)
      shapes[action] =
        `${before === null ? 'nothing' : 'something'} → ${after === null ? 'nothing' : 'something'}`;
    expect(shapes).toEqual({
      createSeason: 'nothing → something',
      changeSeason: 'something → something',
      createMapCategory: 'nothing → something',
      changeMapCategory: 'something → something',
      deleteMapCategory: 'something → nothing',
      createPool: 'nothing → something',
      deletePool: 'something → nothing',
      copyPool: 'nothing → something',
      addMap: 'nothing → something',
      changeMap: 'something → something',
      removeMap: 'something → nothing',
      submitPool: 'something → something',
      reviewPool: 'something → something',
      publishPool: 'something → something',
      retirePool: 'something → something',
      createQueue: 'nothing → something',
      changeQueue: 'something → something',
      openQueue: 'something → something',
      drainQueue: 'something → something',
      closeQueue: 'something → something',
      abortMatch: 'something → something',
      undoMatch: 'something → something',
      decideMatch: 'something → something',
      setRoles: 'something → something',
      banPlayer: 'nothing → something',
      liftBan: 'something → something',
    });
  });
});
