import { repeatedly } from './harness.ts';

/** The body of a process of one variant: `node own-process.ts <module> <name>`, spoken to by the harness. */

/** What one round repeats: throws when its answer is wrong. */
export type Work = () => unknown;

/** Prepares what is not measured. */
export type Variants = Record<string, () => Work>;

export interface ToVariant {
  forMs: number;
}
export type FromVariant = { rate: number } | { error: string };

if (import.meta.main) {
  const [module = '', name = ''] = process.argv.slice(2);
  const tell = (message: FromVariant) => process.send?.(message);
  const told = async (rate: () => Promise<number>) => {
    try {
      tell({ rate: await rate() });
    } catch (error) {
      tell({ error: error instanceof Error ? error.message : String(error) });
    }
  };
  let work: Work = () => {};
  process.on('message', ({ forMs }: ToVariant) => void told(() => repeatedly(forMs, work)));
  await told(async () => {
    const { variants } = (await import(module)) as { variants: Variants };
    const prepare = variants[name];
    if (prepare === undefined) throw new RangeError('There is no such variant.');
    work = prepare();
    return 0;
  });
}
