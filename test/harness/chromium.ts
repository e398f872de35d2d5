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

/** A real browser without a window. */
export const openChromium = (executablePath: string): Promise<Browser> =>
  // Its sandbox does not work for root, and it only visits what the tests serve.
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: 60_000 });
