/** How long after the end of a match its players can be reported, in milliseconds (docs/staff-guide.md). Outages do not count. */
export const TAKEN_FOR_MS = 24 * 3_600_000;
