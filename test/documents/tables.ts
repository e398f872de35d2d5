import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A page of `docs`. */
export const pageOf = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../../docs', name), 'utf8');

/**
 * The rows of a table without its head, each as its cells.
 * @param head the text of the head's first cells, such as `| Round | Red's accuracy`
 * @throws Error when the page has no such table
 */
export function tableOf(page: string, head: string): string[][] {
  const lines = page.split('\n');
  const at = lines.findIndex((line) => line.startsWith(head));
  if (at < 0) throw new Error(`The page has no table that begins with ${head}.`);
  const rest = lines.slice(at + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\||\|$/g, '').trim()));
}
