/** What a plugin's file is, by its first bytes, and what it is called. */

const SIGNATURES: readonly [extension: string, bytes: string][] = [
  ['dll', 'MZ'],
  ['so', '\x7fELF'],
  ['zip', 'PK\x03\x04'],
];

/** Bytes that {@link extensionOf} wants to see. */
export const TELLING_BYTES = 4;

/**
 * The usual extension of a PE (a .NET assembly), ELF or zip file, by how it begins; null for anything else,
 * such as the error page that a build saved instead of its artefact.
 */
export function extensionOf(firstBytes: Uint8Array): string | null {
  const begin = String.fromCharCode(...firstBytes.subarray(0, TELLING_BYTES));
  return SIGNATURES.find(([, signature]) => begin.startsWith(signature))?.[0] ?? null;
}

/** Devices in every folder of a Windows machine, whatever extension is put behind them. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i;
const LONGEST_NAME = 100;
/** No part of a file name. */
const FOREIGN = /[^0-9A-Za-z._ -]/g;

/**
 * A file name that is one on every system, from what a client proposed in `Content-Disposition` (RFC 6266):
 * the last segment of the path, of `[0-9A-Za-z._ -]`. Null when nothing is left of it.
 */
export function fileNameOf(contentDisposition: string): string | null {
  const proposed = extendedName(contentDisposition) ?? plainName(contentDisposition) ?? '';
  const name = (proposed.split(/[/\\]/).at(-1) ?? '')
    .replaceAll(FOREIGN, '')
    // A leading dot hides a file, a trailing one and spaces are dropped by Windows.
    .replaceAll(/^[. ]+|[. ]+$/g, '');
  return name === '' || name.length > LONGEST_NAME || RESERVED.test(name) ? null : name;
}

/** `filename*=UTF-8''caf%C3%A9.dll` (RFC 8187); it goes before the plain one. */
function extendedName(header: string): string | null {
  const encoded = /(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

/** Backslashes before anything but a quote or another one are separators that Windows clients forgot to escape. */
function plainName(header: string): string | null {
  const [, quoted, token] = /(?:^|;)\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header) ?? [];
  return quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token ?? null;
}

/** Build metadata of a version begins with a `+`, which is no part of a file name. */
export const defaultFileName = (pluginVersion: string, gameVersion: string, extension: string): string =>
  `plugin-${pluginVersion}-${gameVersion}.${extension}`.replaceAll(FOREIGN, '_');

/** As `sha256sum` writes and reads it. */
export const checksumFile = (sha256: string, fileName: string): string => `${sha256}  ${fileName}\n`;
