import { h } from 'preact';

const SHAPE = { dateStyle: 'medium', timeStyle: 'short' } as const;
const isBrowser = typeof document !== 'undefined';
const FORMAT = isBrowser
  ? new Intl.DateTimeFormat(undefined, SHAPE)
  : new Intl.DateTimeFormat('en-GB', { ...SHAPE, timeZone: 'UTC' });

/** An instant as people read it: in the visitor's own time zone in a browser, else in UTC. @param at ISO 8601 */
export const timeText = (at: string): string => `${FORMAT.format(new Date(at))}${isBrowser ? '' : ' UTC'}`;

export const Time = ({ at }: { at: string }) => h('time', { dateTime: at }, timeText(at));
