/** Removes the entries that were set first until `most` are left: the bound of a cache in memory. */
export function dropOldest(entries: Map<string, unknown>, most: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= most) return;
    entries.delete(oldest);
  }
}
