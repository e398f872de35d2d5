/** The format of a plugin's file, and its name. */

export type Format = 'dll' | 'so' | 'zip';

const SIGNATURES: readonly [format: Format, bytes: string][] = [
  ['dll', 'MZ'],
  ['so', '\x7fELF'],
  ['zip', 'PK\x03\x04'],
];

/** The DOS header of a PE file, which is longer than what the other formats are recognised by. */
const HEAD_BYTES = 64;
/** Where the DOS header holds the offset of the PE header, `e_lfanew` (PE format, *MS-DOS Stub*). */
const PE_OFFSET_AT = 0x3c;
const PE_SIGNATURE = 'PE\0\0';
/** Places in `e_ident` of class, byte order and version (System V ABI, *ELF Identification*). */
const ELF_IDENT = { class: 4, byteOrder: 5, version: 6 } as const;
/** The end record of a zip file, of which its comment may take 65,535 bytes (APPNOTE.TXT, 4.3.16). */
const ZIP_END = { signature: 'PK\x05\x06', bytes: 22, commentLengthAt: 20, mostComment: 0xffff } as const;

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/**
 * Recognises a PE (a .NET assembly), ELF or zip file while it passes, so that the error page which a build saved
 * instead of its artefact is not published.
 */
export class FormatCheck {
  /** The bytes received before the head was complete. */
  #head = Buffer.alloc(0);
  #format: Format | null = null;
  #passed = 0;
  /** The bytes at the offset of the PE header. */
  #peHeader = '';
  /** The last bytes of a zip file, which hold its end record. */
  #tail = Buffer.alloc(0);

  /** @returns false as soon as it is certain that the file has none of the formats */
  write(chunk: Uint8Array): boolean {
    if (this.#format !== null) this.#pass(chunk);
    else {
      this.#head = Buffer.concat([this.#head, chunk]);
      if (this.#head.length < HEAD_BYTES) return true;
      this.#begin();
    }
    return this.#format !== null;
  }

  /** @returns the format of the whole file, null when it has none of them */
  end(): Format | null {
    if (this.#format === null) this.#begin();
    if (this.#format === 'dll' && this.#peHeader !== PE_SIGNATURE) return null;
    if (this.#format === 'zip' && !hasZipEnd(this.#tail)) return null;
    return this.#format;
  }

  #begin(): void {
    const head = this.#head;
    const format = SIGNATURES.find(([, signature]) => textAt(head, 0, 4).startsWith(signature))?.[0] ?? null;
    if (format === null || (format === 'so' && !hasElfIdent(head))) return;
    this.#format = format;
    this.#pass(head);
  }

  #pass(chunk: Uint8Array): void {
    if (this.#format === 'dll' && this.#head.length >= HEAD_BYTES) {
      const offset = this.#head.readUInt32LE(PE_OFFSET_AT);
      const from = Math.max(0, offset + this.#peHeader.length - this.#passed);
      const missing = PE_SIGNATURE.length - this.#peHeader.length;
      if (from < chunk.length && missing > 0) this.#peHeader += textAt(chunk, from, missing);
    }
    if (this.#format === 'zip')
      this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-(ZIP_END.bytes + ZIP_END.mostComment));
    this.#passed += chunk.length;
  }
}

const hasElfIdent = (head: Uint8Array): boolean =>
  [1, 2].includes(head[ELF_IDENT.class] ?? 0) &&
  [1, 2].includes(head[ELF_IDENT.byteOrder] ?? 0) &&
  head[ELF_IDENT.version] === 1;

/** Whether a file ends with an end record whose comment reaches to the end of the file. */
function hasZipEnd(tail: Uint8Array): boolean {
  for (let at = tail.length - ZIP_END.bytes; at >= 0; at--) {
    if (textAt(tail, at, ZIP_END.signature.length) !== ZIP_END.signature) continue;
    const lengthAt = at + ZIP_END.commentLengthAt;
    const comment = (tail[lengthAt] ?? 0) + 256 * (tail[lengthAt + 1] ?? 0);
    if (at + ZIP_END.bytes + comment === tail.length) return true;
  }
  return false;
}

/** Names of devices, which Windows reserves in every folder and with every extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d) *(\.|$)/i;
const LONGEST_NAME = 100;
/** Characters that are left out of a file name. */
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
