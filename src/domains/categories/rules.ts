/** Positions of categories, which may share one. */
export const POSITION_BOUNDS = { least: 0, most: 10_000, isWhole: true } as const;
