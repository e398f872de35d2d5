import { useEffect, useState } from 'preact/hooks';
import { api, ask } from '../api.ts';

/** Names of people by guid, each read once while the console is open. */

const AT_ONCE = 4;
const names = new Map<string, Promise<string | null>>();
const waiting: (() => void)[] = [];
let running = 0;

async function read(playerGuid: string): Promise<string | null> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  const { data, problem } = await ask(api.GET('/players/{playerGuid}', { params: { path: { playerGuid } } }));
  running -= 1;
  waiting.shift()?.();
  // A name that could not be read is read again when it is needed the next time.
  if (problem !== null && problem.kind !== 'refused') names.delete(playerGuid);
  return data?.username ?? null;
}

/** Forgets a name, because the person has been erased. */
export const forgetName = (playerGuid: string): void => void names.delete(playerGuid);

/** The name of a person; null: it is not read yet, or there is none. */
export function useName(playerGuid: string): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    const known = names.get(playerGuid) ?? read(playerGuid);
    names.set(playerGuid, known);
    void known.then((found) => isCurrent && setName(found));
    return () => {
      isCurrent = false;
    };
  }, [playerGuid]);
  return name;
}
