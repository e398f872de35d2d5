/** How often a process checks whether its parent is still there. */
const CHECK_MS = 500;

/**
 * Calls `stop` when the process that started this one is gone. `npm run` starts scripts through a shell, and a shell
 * that is told to end does not tell its children.
 */
export function whenOrphaned(stop: () => void): void {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, CHECK_MS);
  watch.unref();
}
