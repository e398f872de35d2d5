const NAMES = ['state', 'queueGuid', 'seasonGuid', 'playerGuid', 'since', 'until'] as const;

/**
 * The filter of the list of matches, as it stands in the address. `state` is `running` when left out, and `all` for both;
 * `since` and `until` are in ISO 8601.
 */
export type MatchQuery = Partial<Record<(typeof NAMES)[number], string>>;

/** Reads the filter of an address; what it does not know is left out. */
export const queryOf = (asked: Readonly<Record<string, string>>): MatchQuery =>
  Object.fromEntries(NAMES.flatMap((name) => (asked[name] ? [[name, asked[name]] as const] : [])));

export const isRunning = ({ state }: MatchQuery): boolean => state !== 'ended' && state !== 'all';

/** The query for `GET /matches`. */
export const askedOf = ({ state, ...filter }: MatchQuery) => ({
  ...filter,
  ...(state !== 'all' && { state: isRunning({ state }) ? ('running' as const) : ('ended' as const) }),
});
