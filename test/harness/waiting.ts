interface Waiter {
  holds(): boolean;
  resolve(): void;
}

/** Tests that wait until something holds. */
export class Waiting {
  #waiters: Waiter[] = [];

  /** To be called after every change. */
  wake(): void {
    const done = this.#waiters.filter(({ holds }) => holds());
    this.#waiters = this.#waiters.filter((one) => !done.includes(one));
    for (const { resolve } of done) resolve();
  }

  /** @throws an error with the text of `failure` after `limitMs` */
  async until(holds: () => boolean, failure: () => string, limitMs: number): Promise<void> {
    if (holds()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(failure())), limitMs);
      this.#waiters.push({
        holds,
        resolve: () => {
          clearTimeout(timer);
          resolve();
        },
      });
    });
  }
}
