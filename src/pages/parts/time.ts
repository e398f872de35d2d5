import { h } from 'preact';

const FORMAT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** An instant, in UTC; the script of every page shows it in the visitor's time zone. @param at ISO 8601 */
export const Time = ({ at }: { at: string }) =>
  h('time', { dateTime: at }, `${FORMAT.format(new Date(at))} UTC`);
