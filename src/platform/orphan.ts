/** How often a process checks whether its parent is still there. */
const CHECK_MS = 500;

/** From the first moment on: it may be gone before anybody asks. */
const parent = process.ppid;

/**
 * Calls `stop` when the process that started this one is gone. npm runs a script in a shell and passes signals to that
 * shell, which ends without a signal to its children. On Windows the number of the parent never changes: there Ctrl-C reaches
 * every process of the console.
 */
export function whenOrphaned(stop: () => void): void {
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, CHECK_MS);
  watch.unref();
}
