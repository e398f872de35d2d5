/** Bounds of a number in the rules of a queue. */
export interface Bounds {
  least: number;
  most: number;
  isWhole: boolean;
}

/** The numbers among the rules of a queue. Gaps are differences of ratings. */
export const RULE_BOUNDS = {
  initialGap: { least: 0, most: 10_000, isWhole: true },
  gapPerSecond: { least: 0, most: 1_000, isWhole: false },
  maxGap: { least: 0, most: 10_000, isWhole: true },
  maxDiscards: { least: 0, most: 5, isWhole: true },
} as const satisfies Record<string, Bounds>;
