/** The filter of the list of matches, as it stands in the address. */
export interface MatchQuery {
  /** `running` when left out; `all`: both. */
  state?: string | undefined;
  queueGuid?: string | undefined;
  seasonGuid?: string | undefined;
  playerGuid?: string | undefined;
  /** ISO 8601. */
  since?: string | undefined;
  until?: string | undefined;
}

const NAMES = ['state', 'queueGuid', 'seasonGuid', 'playerGuid', 'since', 'until'];

/** Reads the filter of an address; what it does not know is left out. */
export const queryOf = (asked: Readonly<Record<string, string>>): MatchQuery =>
  Object.fromEntries(NAMES.flatMap((name) => (asked[name] ? [[name, asked[name]] as const] : [])));

export const isRunning = ({ state }: MatchQuery): boolean => state !== 'ended' && state !== 'all';

/** The query for `GET /matches`. */
export const askedOf = ({ state, ...filter }: MatchQuery) => ({
  ...filter,
  ...(state !== 'all' && { state: isRunning({ state }) ? ('running' as const) : ('ended' as const) }),
});
