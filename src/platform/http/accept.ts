/** How much somebody wants a media type, by their most exact word about it (RFC 9110, 12.5.1). */
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

/** Whether somebody would rather read a page than JSON, as browsers say of what they open; nobody else does. */
export const prefersPage = (accept: string | undefined): boolean =>
  accept !== undefined && weightOf(accept, 'text/html') > weightOf(accept, 'application/json');
