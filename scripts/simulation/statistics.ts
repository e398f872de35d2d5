export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sorts once. @returns the value that a share (0…1) of the values does not exceed; 0 when there are none */
export function quantiles(values: readonly number[]): (share: number) => number {
  const sorted = Float64Array.from(values).sort();
  return (share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export const quantile = (values: readonly number[], share: number): number => quantiles(values)(share);
