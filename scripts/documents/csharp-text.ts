/** Names, strings and comments of C#. */

/** `matchGuid` → `MatchGuid`, `plugin-releases` → `PluginReleases`. */
export function pascal(name: string): string {
  return name
    .split(/[^0-9A-Za-z]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The member of an enum for a value on the wire: `waiting_players` → `WaitingPlayers`, `TOKEN_EXPIRED` → `TokenExpired`. */
export function enumMember(value: string): string {
  const isShouted = value.length > 3 && value === value.toUpperCase();
  const name = pascal(isShouted ? value.toLowerCase() : value);
  // `Unknown` is the member for all others.
  return /^\d/.test(name) || name === 'Unknown' ? `_${name}` : name;
}

/** A string literal. */
export const code = (text: string): string => JSON.stringify(text);

/** A documentation comment with a line end behind it; empty where there is nothing to say. */
export function docComment(text: string | undefined): string {
  if (text === undefined) return '';
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `/// <summary>${escaped.replaceAll(/`([^`]+)`/g, '<c>$1</c>').replaceAll(/\s*\n\s*/g, ' ')}</summary>\n`;
}

/** The same lines further to the right. */
export const indented = (lines: string, levels = 1): string =>
  lines.replaceAll(/^(?=.)/gm, '    '.repeat(levels));
