import { useLocation } from 'preact-iso';

type Parameters = Readonly<Record<string, string | undefined>>;

/** What the address asks for, and a way to ask for something else without leaving the view. */
export function useQuestion(): { asked: Parameters; ask(parameters: Parameters): void } {
  const { path, query, route } = useLocation();
  return {
    asked: query,
    ask: (parameters) => {
      const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
      const question = new URLSearchParams(given as [string, string][]).toString();
      route(question === '' ? path : `${path}?${question}`);
    },
  };
}
