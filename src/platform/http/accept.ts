/** The weight of a media type in an `Accept` header, by the most exact range that names it (RFC 9110, 12.5.1). */
function weightOf(accept: string, type: string): number {
  const group = `${type.split('/', 1)[0]}/*`;
  const weights = new Map<string, number>();
  for (const range of accept.toLowerCase().split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(name, quality === undefined ? 1 : Number(quality) || 0);
  }
  return weights.get(type) ?? weights.get(group) ?? weights.get('*/*') ?? 0;
}

/**
 * Whether an `Accept` header names HTML. Every browser does for an address that a person opens. A wildcard does not count:
 * it is what programs send.
 */
export const namesHtml = (accept: string | undefined): boolean =>
  accept !== undefined && /(^|[,\s])text\/html\b/i.test(accept) && weightOf(accept, 'text/html') > 0;

/** Whether the client prefers a page to JSON. Only browsers do, for addresses that a person opens. */
export const prefersPage = (accept: string | undefined): boolean =>
  accept !== undefined && weightOf(accept, 'text/html') > weightOf(accept, 'application/json');
