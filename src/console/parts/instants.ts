/** Instants, and the fields in which people enter them. */

/** An instant as a time field shows it. @param at ISO 8601 */
export function localOf(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The typed instant in ISO 8601; undefined: it is empty or no time. */
export function instantOrNone(local: string): string | undefined {
  const time = Date.parse(local);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** The typed instant in ISO 8601. Invalid text stays as it is, and the service refuses it. */
export const instantOf = (local: string): string => instantOrNone(local) ?? local;

/** Whether it has begun and not ended. */
export const isNow = ({ startsAt, endsAt }: { startsAt: string; endsAt: string }): boolean =>
  Date.parse(startsAt) <= Date.now() && Date.now() < Date.parse(endsAt);

const DAY_MS = 86_400_000;

/** Days between two instants; null if one is invalid or they are in the wrong order. */
export function daysBetween(from: string, to: string): number | null {
  const days = Math.round(((Date.parse(to) - Date.parse(from)) / DAY_MS) * 10) / 10;
  return days > 0 ? days : null;
}
