/**
 * Copies bytes that are kept into memory of their own. `Buffer.from` and `Buffer.concat` cut small buffers out of a shared
 * block of 64 KiB, and the whole block stays in memory as long as one of them is kept.
 */
export function inOwnMemory(bytes: Uint8Array | string): Buffer {
  const isText = typeof bytes === 'string';
  const own = Buffer.allocUnsafeSlow(isText ? Buffer.byteLength(bytes) : bytes.byteLength);
  if (isText) own.write(bytes);
  else own.set(bytes);
  return own;
}
