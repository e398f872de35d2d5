import type { ComponentChildren } from 'preact';
import type { PATHS } from '../paths.ts';

const base = new URL(document.baseURI).pathname.replace(/\/$/, '');

/** The names of the parameters of an address. */
type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export type ConsolePath = (typeof PATHS)[keyof typeof PATHS];

/** The pattern that the router compares with the address, with the base path of the service. */
export const patternOf = (path: ConsolePath): string => `${base}${path}`;

/** The address of a view, with its parameters in place. */
export const addressOf = <Path extends ConsolePath>(
  path: Path,
  parameters: Record<Parameters<Path>, string>,
  query: Record<string, string> = {},
): string => {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: Parameters<Path>) =>
    encodeURIComponent(parameters[name]),
  );
  const asked = new URLSearchParams(query).toString();
  return `${base}${filled}${asked === '' ? '' : `?${asked}`}`;
};

/** The address of a public page, which stands outside of the console. */
export const publicAddress = (path: string): string => `${base}${path}`;

interface LinkProps<Path extends ConsolePath> {
  to: Path;
  with: Record<Parameters<Path>, string>;
  query?: Record<string, string>;
  children: ComponentChildren;
}

/** Leads to a view of the console. */
export const Link = <Path extends ConsolePath>({
  to,
  with: parameters,
  query,
  children,
}: LinkProps<Path>) => <a href={addressOf(to, parameters, query)}>{children}</a>;
