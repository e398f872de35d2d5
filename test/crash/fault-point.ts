import pg from 'pg';
import { textOf } from '../harness/statement-text.ts';

/**
 * Loaded before the service (`node --import`): ends the process at its n-th writing statement, as
 * `kill -9` would, so that a crash falls between a decision and its commit, or between the commit and
 * the telling of it. The service itself knows nothing of this and has no such points.
 */

/** Before it leaves, once it left but nobody saw the answer, or when the answer has just come. */
export type FaultMoment = 'before' | 'sent' | 'answered';

const at = Number(process.env.FAULT_AT_WRITE ?? 0);
const moment = process.env.FAULT_MOMENT as FaultMoment | undefined;

const isWrite = (text = ''): boolean => /^\s*(COMMIT|INSERT|UPDATE|DELETE|WITH)\b/i.test(text);

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

if (at > 0 && moment !== undefined) {
  const { query } = pg.Client.prototype;
  let seen = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]): unknown {
    const send = (): unknown => Reflect.apply(query, this, args);
    if (!isWrite(textOf(args[0])) || ++seen !== at) return send();
    if (moment === 'before') die();
    const callback = args.at(-1);
    if (moment === 'answered' && typeof callback === 'function') args[args.length - 1] = die;
    const answer = send();
    if (moment === 'sent') die();
    return answer instanceof Promise ? answer.finally(die) : answer;
  } as typeof query;
}
