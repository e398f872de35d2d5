/** The body of a process of one variant: `node own-process.ts <module> <name>`, spoken to by the harness. */

/** The work of a round. Only the time of `run` counts. */
export interface Task<Answer> {
  run(): Answer;
  /** @throws when the answer is wrong */
  check(answer: Answer): void;
}

/** By name: prepares what is repeated. */
// biome-ignore lint/suspicious/noExplicitAny: the harness hands an answer back unseen
export type Variants = Record<string, () => Task<any>>;

export interface ToVariant {
  forMs: number;
}
export type FromVariant = { rate: number } | { error: string };

/** Repeats a task for so long. @returns how often it would run in a second */
function repeat<Answer>({ run, check }: Task<Answer>, forMs: number): number {
  const endsAt = performance.now() + forMs;
  let times = 0;
  let spentMs = 0;
  for (let now = 0; now < endsAt; ) {
    const startedAt = performance.now();
    const answer = run();
    now = performance.now();
    spentMs += now - startedAt;
    times += 1;
    check(answer);
  }
  return (times * 1000) / spentMs;
}

if (import.meta.main) {
  const [module = '', name = ''] = process.argv.slice(2);
  const tell = async (rate: () => number | Promise<number>): Promise<void> => {
    let message: FromVariant;
    try {
      message = { rate: await rate() };
    } catch (error) {
      message = { error: error instanceof Error ? error.message : String(error) };
    }
    process.send?.(message);
  };
  let task: Task<unknown> = { run: () => null, check: () => {} };
  process.on('message', ({ forMs }: ToVariant) => void tell(() => repeat(task, forMs)));
  await tell(async () => {
    const { variants } = (await import(module)) as { variants: Variants };
    const prepare = variants[name];
    if (prepare === undefined) throw new RangeError('There is no such variant.');
    task = prepare();
    return 0;
  });
}
