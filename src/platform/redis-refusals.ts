import type { FastifyBaseLogger } from 'fastify';
import { ReplyError } from 'ioredis';

/** A refusal is recent, and counts at least, for this long: at a full memory some commands succeed and others do not. */
const RECENT_MS = 5000;

interface Refusal {
  /** The first word of Redis' answer, such as `OOM` or `NOPERM`. */
  code: string;
  at: number;
  isOver: boolean;
}

export type Refusals = ReturnType<typeof watchRefusals>;

/**
 * Errors that Redis answers: its memory is full, its user lacks a right, it is a replica. The first of a command is logged,
 * and it counts until the command is executed again.
 */
export function watchRefusals(logger: Pick<FastifyBaseLogger, 'warn'>) {
  const refusals = new Map<string, Refusal>();
  const isRecent = ({ at }: Refusal): boolean => performance.now() - at < RECENT_MS;
  const counts = (refusal: Refusal): boolean => !refusal.isOver || isRecent(refusal);
  return {
    /** A command failed. An error that Redis did not answer is no refusal. */
    failed: (command: string, error: unknown): void => {
      if (!(error instanceof ReplyError)) return;
      const { message } = error as Error;
      const last = refusals.get(command);
      refusals.set(command, { code: message.split(' ', 1).join(), at: performance.now(), isOver: false });
      if (last === undefined || !counts(last))
        logger.warn({ command, reason: message }, 'Redis refuses a command: this node goes on without it');
    },
    executed: (command: string): void => {
      const last = refusals.get(command);
      if (last) last.isOver = true;
    },
    /** Whether one of the commands was refused lately. */
    isRecent: (...commands: readonly string[]): boolean =>
      commands.some((command) => {
        const last = refusals.get(command);
        return last !== undefined && isRecent(last);
      }),
    /** The command and the code of a refusal that counts; null: there is none. */
    first: (): string | null => {
      for (const [command, refusal] of refusals)
        if (counts(refusal)) return `refuses ${command.toUpperCase()} (${refusal.code})`;
      return null;
    },
  };
}
