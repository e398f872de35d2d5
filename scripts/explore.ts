import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commandLine, wrongUsage } from './command-line.ts';
import { createChecker, OF_CHANGES } from './explore/checker.ts';
import { checkClosed } from './explore/closing.ts';
import { createKeeping } from './explore/keeping.ts';
import { Found, Search } from './explore/search.ts';
import { SECOND, SETTINGS, type Setting } from './explore/settings.ts';
import { storyOf } from './explore/story.ts';

const USAGE = `npm run explore -- [setting …]

Visits every state of small matches with the rules of the service, and checks in each of them what docs/matches.md promises.
Goes on where it was interrupted. Exits with 1 when a promise is broken.

  setting   ${SETTINGS.map(({ name }) => name).join(', ')}; the small ones without any
  --all     every setting
  --fresh   begins anew`;

const { values, positionals } = commandLine(
  USAGE,
  {
    all: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
  },
  true,
);

const FOLDER = path.resolve(import.meta.dirname, '../reports/explore');
const KEPT_EVERY_MS = 60 * SECOND;
const PROGRESS_EVERY_MS = 5 * SECOND;

const chosen = values.all
  ? SETTINGS
  : SETTINGS.filter(({ name, isSmall }) => (positionals.length > 0 ? positionals.includes(name) : isSmall));
const unknown = positionals.filter((name) => !SETTINGS.some((setting) => setting.name === name));
if (unknown.length > 0) wrongUsage(`There is no setting ${unknown.join()}.`, USAGE);
// A refusal is made a hundred million times, and its stack is never read.
Error.stackTraceLimit = 0;

const number = (value: number): string => value.toLocaleString('en-US');

async function explore(setting: Setting): Promise<void> {
  const folder = path.join(FOLDER, setting.name);
  if (values.fresh) rmSync(folder, { recursive: true, force: true });
  const keeping = createKeeping(folder);
  const search = new Search(setting, OF_CHANGES);
  if (keeping.read(search)) console.log(`${setting.name}: goes on from ${number(search.size)} states`);
  const [began, before] = [performance.now(), search.expanded];
  let [told, kept] = [began, began];
  const tell = (): void => {
    const now = performance.now();
    if (now - told < PROGRESS_EVERY_MS) return;
    told = now;
    const speed = Math.round(((search.expanded - before) * SECOND) / (now - began));
    const waiting = search.size - search.expanded;
    console.log(
      `${setting.name}: ${number(search.size)} states, ${number(waiting)} waiting, depth ${search.depth}, ${number(speed)} a second`,
    );
  };
  const checker = createChecker(search);
  try {
    for (let goesOn = true; goesOn; ) {
      checker.begin();
      goesOn = search.layer(tell);
      await checker.done();
      if (performance.now() - kept < KEPT_EVERY_MS) continue;
      keeping.write(search);
      kept = performance.now();
    }
  } finally {
    await checker.end();
  }
  keeping.write(search);
  const longestMs = checkClosed(search, setting.longestMs);
  const took = Math.round((performance.now() - began) / SECOND);
  console.log(
    `${setting.name}: closed with ${number(search.size)} states, ${number(search.transitions)} changes, depth ${search.depth}, ` +
      `${number(search.replayed)} ends played again; left alone it ends within ${longestMs / SECOND} s; ${took} s`,
  );
}

mkdirSync(FOLDER, { recursive: true });
for (const setting of chosen) {
  try {
    await explore(setting);
  } catch (error) {
    if (!(error instanceof Found)) throw error;
    const search = new Search(setting, []);
    const story = storyOf(search, error.violation);
    writeFileSync(path.join(FOLDER, `${setting.name}.txt`), story);
    console.error(story);
    process.exitCode = 1;
  }
}
