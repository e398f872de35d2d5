import { port } from '../config-values.ts';
import { LocalProblem } from './problem.ts';
import type { StackOptions } from './stack.ts';

/** @throws LocalProblem when the variable holds no port. */
function portFrom(environment: NodeJS.ProcessEnv, variable: string, otherwise: number): number {
  const { data, error } = port.safeParse(environment[variable] || String(otherwise));
  if (error) throw new LocalProblem(`${variable} ${error.issues[0]?.message}.`);
  return data;
}

/** The ports of `npm run dev`. @throws LocalProblem when a variable holds no port. */
export const portsFrom = (environment: NodeJS.ProcessEnv): StackOptions['ports'] => ({
  service: portFrom(environment, 'PORT', 3000),
  identityProvider: portFrom(environment, 'IDENTITY_PROVIDER_PORT', 3001),
  mapHost: portFrom(environment, 'MAP_HOST_PORT', 3002),
});
