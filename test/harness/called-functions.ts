import { Session } from 'node:inspector/promises';

interface Coverage {
  result: { url: string; functions: { functionName: string; ranges: { count: number }[] }[] }[];
}

/**
 * Notes from now on which functions are called, by the coverage of V8.
 * @returns stops it and tells the names of the called functions of a file, given by the end of its path
 */
export async function noteCalls(): Promise<() => Promise<(file: string) => ReadonlySet<string>>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const { result } = (await session.post('Profiler.takePreciseCoverage')) as unknown as Coverage;
    session.disconnect();
    return (file) =>
      new Set(
        result
          .filter(({ url }) => url.endsWith(file))
          .flatMap(({ functions }) => functions)
          .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
          .map(({ functionName }) => functionName),
      );
  };
}
