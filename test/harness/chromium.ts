import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The first is Chromium without the parts of a window: its tests take two thirds of the processor time. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
const ELSEWHERE = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:/Program Files/Google/Chrome/Application/chrome.exe',
];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The Chromium of this machine, or null: none is downloaded. `CHROMIUM` names another one. */
export function findChromium(): string | null {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? '').split(path.delimiter).concat('/usr/bin', '/snap/bin');
  const candidates = folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name)));
  return [...candidates, ...ELSEWHERE].find(isExecutable) ?? null;
}

/** The browser of this process, for all of its test files: each start costs most of a second of a processor. */
let shared: Browser | undefined;

/** A real browser without a window. Its `close` closes what was opened in it; the browser ends with the process. */
export async function openChromium(executablePath: string): Promise<Browser> {
  if (shared?.isConnected()) return shared;
  const args = [
    // Its sandbox does not work for root, and it only visits what the tests serve.
    '--no-sandbox',
    '--disable-dev-shm-usage',
    // A page of a test lives for seconds, too short to gain from threads of its own.
    '--js-flags=--single-threaded',
    '--in-process-gpu',
  ];
  const launch = () => chromium.launch({ executablePath, args, timeout: 60_000 });
  // It crashed once while it started on a busy machine, and a hook that fails is not tried again.
  const browser = await launch().catch(launch);
  shared = Object.assign(browser, {
    close: async () => {
      for (const context of browser.contexts()) await context.close();
    },
  });
  return shared;
}
