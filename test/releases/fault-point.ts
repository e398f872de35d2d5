import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import pg from 'pg';
import { textOf } from '../harness/statement-text.ts';

/**
 * Loaded before `uploading.ts` (`node --import`): ends the process at one step of an upload, as `kill -9` would. The service
 * itself knows nothing of this.
 */

export type UploadStep =
  | 'first piece'
  | 'before the flush'
  | 'before the name'
  | 'after the name'
  | 'before the commit'
  | 'commit sent'
  | 'commit answered';

const step = process.env.UPLOAD_FAULT as UploadStep | undefined;

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  // The signal may arrive a moment later: until then nothing else happens.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
const at = (reached: UploadStep): void => {
  if (step === reached) die();
};

const probe = await fs.open(import.meta.filename);
const handle = Object.getPrototypeOf(probe) as fs.FileHandle;
await probe.close();

const { writeFile, datasync } = handle;
handle.writeFile = async function (...args) {
  await writeFile.apply(this, args);
  at('first piece');
};
handle.datasync = function () {
  at('before the flush');
  return datasync.call(this);
};

const { rename } = fs;
fs.rename = async (from, to) => {
  at('before the name');
  await rename(from, to);
  at('after the name');
};
syncBuiltinESMExports();

const { query } = pg.Client.prototype;
let rowIsWritten = false;
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]): unknown {
  const text = textOf(args[0]) ?? '';
  if (/INSERT INTO "public"\."PluginRelease"/.test(text)) rowIsWritten = true;
  const isCommit = rowIsWritten && /^\s*COMMIT/i.test(text);
  if (isCommit) at('before the commit');
  const callback = args.at(-1);
  if (isCommit && step === 'commit answered' && typeof callback === 'function') args[args.length - 1] = die;
  const answer = Reflect.apply(query, this, args);
  if (isCommit && step === 'commit answered' && answer instanceof Promise) return answer.finally(die);
  // The statement has been sent by then.
  if (isCommit && step === 'commit sent') setImmediate(die);
  return answer;
} as typeof query;
