import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../harness/arena.ts';
import type { ServiceProcess } from '../harness/process.ts';
import { steadyNow } from './clock.ts';

/** A restart or kill of a node, milliseconds of the steady clock. */
export interface Interruption {
  kind: 'restart' | 'kill';
  node: number;
  from: number;
  /** When the node answered again. */
  to: number;
}

/**
 * Restarts each node once as a deploy does, and kills one, spread over the run: the first after a sixth of the time.
 * The killed one comes back at once, as an orchestrator starts it again.
 */
export async function interrupt(
  arena: Arena,
  nodes: ServiceProcess[],
  forMs: number,
  options: { onProgress(line: string): void; stopped: AbortSignal },
): Promise<{ interruptions: Interruption[]; problems: string[] }> {
  const { onProgress, stopped } = options;
  const plan = [
    ...nodes.map((_, node) => ({ kind: 'restart' as const, node })),
    { kind: 'kill' as const, node: nodes.length - 1 },
  ];
  const interruptions: Interruption[] = [];
  const problems: string[] = [];
  const every = (forMs * 5) / 6 / plan.length;
  const startedAt = performance.now();
  for (const [nth, { kind, node }] of plan.entries()) {
    const due = startedAt + forMs / 6 + nth * every;
    await sleep(Math.max(0, due - performance.now()), undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) break;
    const from = steadyNow();
    const ending = nodes[node] as ServiceProcess;
    onProgress(`${kind === 'kill' ? 'killing' : 'restarting'} node ${node}`);
    if (kind === 'kill') await ending.kill();
    else {
      const code = await ending.terminate();
      if (code !== 0) problems.push(`node ${node} stopped with ${code}:\n${ending.output()}`);
    }
    const started = arena.start(node);
    nodes[node] = started;
    if (!(await arena.ready(node, started)))
      problems.push(`node ${node} did not start:\n${started.output()}`);
    const to = steadyNow();
    onProgress(`node ${node} is back after ${((to - from) / 1000).toFixed(1)} s`);
    interruptions.push({ kind, node, from, to });
  }
  return { interruptions, problems };
}
