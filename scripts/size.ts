import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/**
 * `node scripts/size.ts` counts the code under `src` and lists what is too long; with `check` it fails on that.
 * Tokens are those of the compiler's scanner: comments, white space and generated files do not count, so
 * neither formatting nor documentation changes the number.
 */

const GENERATED = 'src/platform/database/generated/';
const MOST_LINES_OF_FILE = 300;
/** The limit of the table of contents. It has no exception. */
const MOST_LINES_OF: Readonly<Record<string, number>> = { 'src/app.ts': 150 };
const MOST_LINES_OF_FUNCTION = 60;
/** In the first comment of a file or a function that is longer: the reason follows. */
const REASON = /\bLong because\b/;

export interface Size {
  files: number;
  lines: number;
  tokens: number;
  /** One line per file or function that is too long and does not say why. */
  tooLong: string[];
}

/** @param root the repository. @returns the size of everything under `src` */
export function measure(root: string): Size {
  const files = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /[.]tsx?$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !file.startsWith(GENERATED))
    .sort();
  const size: Size = { files: files.length, lines: 0, tokens: 0, tooLong: [] };
  for (const file of files) {
    const text = readFileSync(path.join(root, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const lines = source.getLineStarts().length - 1;
    size.lines += lines;
    size.tokens += countTokens(source);
    const most = MOST_LINES_OF[file] ?? (REASON.test(firstComment(text)) ? Infinity : MOST_LINES_OF_FILE);
    if (lines > most) size.tooLong.push(`${file}: ${lines} lines`);
    size.tooLong.push(...longFunctions(source).map((about) => `${file}: ${about}`));
  }
  return size;
}

/** The leaves of the syntax tree: what the scanner reads as one token, template texts included. */
function countTokens(source: ts.SourceFile): number {
  let tokens = 0;
  const visit = (node: ts.Node): void => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = node.getChildren(source);
    if (children.length === 0 && node.kind !== ts.SyntaxKind.SyntaxList && node.getText(source) !== '')
      tokens++;
    children.forEach(visit);
  };
  visit(source);
  return tokens;
}

/**
 * Functions with too many lines of their own. Lines of a function inside it count for that one alone: a
 * factory that returns twenty short functions is short.
 */
function longFunctions(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const lineOf = (at: number): number => source.getLineAndCharacterOfPosition(at).line;
  /** @returns the lines of functions inside this node, itself included */
  const visit = (node: ts.Node): number => {
    let inner = 0;
    ts.forEachChild(node, (child) => {
      inner += visit(child);
    });
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return inner;
    const lines = lineOf(node.getEnd()) - lineOf(node.getStart(source)) + 1;
    const own = lines - inner;
    if (own > MOST_LINES_OF_FUNCTION && !REASON.test(commentBefore(source, node)))
      found.push(`${nameOf(node)} in line ${lineOf(node.getStart(source)) + 1}: ${own} lines of its own`);
    return lines;
  };
  visit(source);
  return found;
}

function nameOf(node: ts.Node): string {
  const named = [node, node.parent].find(
    (one) => one !== undefined && 'name' in one && one.name !== undefined,
  ) as { name: ts.Node } | undefined;
  return named?.name.getText() ?? 'a function without a name';
}

const firstComment = (text: string): string => /\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? '';

/** The comment in front of a function, or of the statement that gives it its name. */
function commentBefore(source: ts.SourceFile, node: ts.Node): string {
  let statement = node;
  while (!ts.isStatement(statement) && !ts.isPropertyAssignment(statement) && statement.parent)
    statement = statement.parent;
  return source.text.slice(statement.getFullStart(), node.getStart(source));
}

if (import.meta.main) {
  const { files, lines, tokens, tooLong } = measure(path.join(import.meta.dirname, '..'));
  for (const one of tooLong) console.error(one);
  console.log(`${files} files, ${lines} lines, ${tokens} tokens of code, ${tooLong.length} too long.`);
  if (process.argv[2] === 'check' && (tooLong.length > 0 || files === 0)) process.exitCode = 1;
}
