import { readFileSync } from 'node:fs';

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** A bar on top of the HTTP reference with the signed-in player and links to log in and out. */
export const signInBar = {
  js: [{ filename: 'sign-in.js', content: read('./sign-in-bar.js') }],
  css: [{ filename: 'sign-in.css', content: read('./sign-in-bar.css') }],
};
