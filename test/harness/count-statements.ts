import { writeFileSync } from 'node:fs';
import pg from 'pg';
import { textOf } from './statement-text.ts';

/**
 * Loaded before the service (`node --import`): counts the statements it sends from `SIGTERM` on, and leaves them in a
 * file when the process ends: `[statement, how often]`, the most frequent first.
 */

const { STATEMENTS_FILE: file } = process.env;

if (file !== undefined) {
  const { query } = pg.Client.prototype;
  const counts = new Map<string, number>();
  let counting = false;
  process.on('SIGTERM', () => {
    counting = true;
  });
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]): unknown {
    const text = textOf(args[0]);
    if (counting && text !== undefined) {
      const statement = text.replaceAll(/\s+/g, ' ').trim();
      counts.set(statement, (counts.get(statement) ?? 0) + 1);
    }
    return Reflect.apply(query, this, args);
  } as typeof query;
  process.on('exit', () => writeFileSync(file, JSON.stringify([...counts].sort((a, b) => b[1] - a[1]))));
}
