import { execFile, spawn } from 'node:child_process';
import { accessSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { PLUGIN_VERSION } from '../../src/local/surroundings.ts';
import { CSHARP_KIT } from '../../src/platform/documents/csharp-kit.ts';
import { inherited } from '../harness/process.ts';

/** Plugins made of the C# kit, in one process of Mono, with the library that real ones use. */

const root = path.resolve(import.meta.dirname, '../..');
const library = path.resolve(root, '../shared/csharp');
const run = promisify(execFile);
/** A plugin may wait for a service that is started again, which takes long on a busy machine. */
const WAITS_MS = 60_000;

/** A line of the driver. */
export interface Told {
  client: string;
  told:
    | 'token'
    | 'connection'
    | 'greeted'
    | 'match'
    | 'queue'
    | 'notice'
    | 'problem'
    | 'answer'
    | 'standing'
    | 'failed';
  onGameThread: boolean;
  // Further members, by its kind: Driver.cs.
  [member: string]: any;
}

interface PluginOptions {
  address: string;
  pluginVersion?: string;
  /** A token for each time it is asked. */
  token(renew: boolean): Promise<string>;
  tokenLimitMs?: number;
  connectLimitMs?: number;
  answerLimitMs?: number;
  httpLimitMs?: number;
  commandLimitMs?: number;
  firstPauseMs?: number;
  longestPauseMs?: number;
}

export type Plugin = Awaited<ReturnType<Plugins['open']>>;
export type Plugins = Awaited<ReturnType<typeof startPlugins>>;
export type Workshop = Awaited<ReturnType<typeof openWorkshop>>;

/** Says what is missing for these tests; null: nothing. */
export function missing(): string | null {
  if (!existsSync(path.join(library, 'build.sh')))
    return 'The C# library of real plugins is not beside this repository.';
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  const isThere = (program: string) => folders.some((folder) => existsSync(path.join(folder, program)));
  if (!isThere('mono') || !isThere('mcs')) return 'There is no Mono: apt-get install mono-mcs mono-runtime.';
  try {
    accessSync('/usr/lib/mono/gac/Newtonsoft.Json');
    accessSync('/usr/lib/mono/gac/System.Net.Http');
  } catch {
    return 'A library of Mono is missing: .ci/run names the packages.';
  }
  return null;
}

/** A version of the kit's client, as one file, and of the driver that was written for it. */
export interface Kit {
  name: string;
  client: string;
  driver: string;
}

const driver = readFileSync(path.join(import.meta.dirname, 'Driver.cs'), 'utf8');
export const PRESENT: Kit = { name: 'the C# kit', client: CSHARP_KIT.client, driver };

/** A source without its lines of comments. */
const withoutComments = (source: string): string => source.replaceAll(/^\s*\/\/.*\n/gm, '');

/** The present kit, and earlier ones that players may still have and that differ from it. */
export function kits(): Kit[] {
  const folder = path.join(import.meta.dirname, 'kept');
  const kept = readdirSync(folder).map((version) => {
    const read = (file: string): string => readFileSync(path.join(folder, version, file), 'utf8');
    return { name: `the C# kit of ${version}`, client: read('MatchService.cs'), driver: read('Driver.cs') };
  });
  return [
    PRESENT,
    ...kept.filter(({ client }) => withoutComments(client) !== withoutComments(PRESENT.client)),
  ];
}

/** Compiles C# 7.2 against the library and the kit, every warning an error. */
async function compile(folder: string, { client }: Kit, result: string, source: string): Promise<void> {
  const files = { [`${result}-client.cs`]: client, [`${result}.cs`]: source };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await run('mcs', [
    '-langversion:7.2',
    '-warnaserror+',
    ...(result.endsWith('.dll') ? ['-target:library'] : []),
    '-r:System.Net.Http',
    `-r:${folder}/SocketIOClient.dll`,
    `-r:${folder}/Newtonsoft.Json.dll`,
    `-out:${folder}/${result}`,
    ...Object.keys(files).map((name) => path.join(folder, name)),
  ]);
}

/** A folder with the library, in which the commands of the kit's page work. */
export async function openWorkshop() {
  const folder = await mkdtemp(path.join(tmpdir(), 'matches-kit-'));
  await run(path.join(library, 'build.sh'), [folder]);
  return {
    folder,
    /** Compiles a listing of the page as a library. */
    compile: (listing: string): Promise<void> => compile(folder, PRESENT, 'listing.dll', listing),
    /** Compiles as a command of the page says. */
    follow: (command: string) =>
      run('sh', ['-c', command.replaceAll('plugin/', `${folder}/`)], { cwd: root }),
    /** Starts the sample as a command of the page says, with more arguments. @returns the line about the result of its match */
    play: async (command: string, more: readonly string[]): Promise<string> => {
      const [program = '', ...words] = command.replaceAll('plugin/', `${folder}/`).split(' ');
      const sample = spawn(program, [...words, ...more], { env: { ...inherited, HOME: folder } });
      const said: string[] = [];
      for await (const line of createInterface({ input: sample.stdout })) {
        said.push(line);
        // Mono does not always end when a program does, so it is not waited for.
        if (/ by \w+, rating /.test(line)) sample.kill('SIGKILL');
      }
      return said.at(-1) ?? '';
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Compiles the kit with its driver, and starts that. */
export async function startPlugins(kit = PRESENT) {
  const { folder, remove } = await openWorkshop();
  await compile(folder, kit, 'driver.exe', kit.driver);
  const child = spawn('mono', [path.join(folder, 'driver.exe')], {
    env: { ...inherited, HOME: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const lines: Told[] = [];
  let errors = '';
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const look of woken) look();
  };
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const answers = new Map<string, (renew: boolean) => Promise<string>>();
  const write = (order: object): void => void child.stdin.write(`${JSON.stringify(order)}\n`);
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line: Told = JSON.parse(text);
    lines.push(line);
    if (line.told === 'token')
      void answers
        .get(line.client)?.(line.renew)
        .then((token) => write({ client: line.client, do: 'token', token }));
    wake();
  });

  /** Waits for a line, looking from one of them on. */
  const until = async (
    client: string,
    from: number,
    holds: (line: Told) => boolean,
    what: string,
  ): Promise<Told> => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      wake();
    }, WAITS_MS);
    try {
      for (let at = from; ; ) {
        for (; at < lines.length; at += 1) {
          const line = lines[at] as Told;
          if (line.client === client && holds(line)) return line;
        }
        if (late) {
          const said = lines.slice(from).filter((line) => line.client === client);
          throw new Error(
            `${client} was not told ${what}:\n${errors}${said.map((line) => JSON.stringify(line).slice(0, 300)).join('\n')}`,
          );
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    } finally {
      clearTimeout(timer);
    }
  };

  let ids = 0;
  return {
    folder,
    lines,
    open: async (client: string, { token, pluginVersion = PLUGIN_VERSION, ...options }: PluginOptions) => {
      answers.set(client, token);
      write({ client, do: 'open', pluginVersion, ...options });
      const mine = () => lines.filter((line) => line.client === client);
      const order = async (what: string, about: object = {}): Promise<any> => {
        ids += 1;
        const id = ids;
        const from = lines.length;
        write({ client, do: what, id, ...about });
        const answer = await until(
          client,
          from,
          (line) => line.told === 'answer' && line.id === id,
          `the answer to ${what}`,
        );
        if (answer.problem) throw new Error(answer.problem);
        if (answer.code) throw new Error(`${answer.code}: ${answer.message}`);
        return answer.data;
      };
      return {
        /** The messages it received so far. */
        told: mine,
        /** Where the next `until` begins when it is to look at new lines alone. */
        mark: () => lines.length,
        until: (holds: (line: Told) => boolean, what: string, from = 0) => until(client, from, holds, what),
        connected: (from = 0) =>
          until(
            client,
            from,
            ({ told, state }) => told === 'connection' && state === 'Connected',
            'that it is connected',
          ),
        state: (state: string, from = 0) =>
          until(client, from, (line) => line.told === 'connection' && line.state === state, state),
        match: (holds: (match: any) => boolean, what: string, from = 0) =>
          until(client, from, (line) => line.told === 'match' && holds(line.match), what).then(
            ({ match }) => match,
          ),
        start: () => write({ client, do: 'start' }),
        stop: () => order('stop'),
        order,
        send: (event: string, payload: object = {}) => order('send', { event, payload }),
        progress: (about: object) => write({ client, do: 'progress', ...about }),
      };
    },
    stop: async () => {
      // Mono does not always end when a program does.
      child.kill('SIGKILL');
      await exited;
      await remove();
      return errors;
    },
  };
}
