/** The value below which the part `q` (0 to 1) of the values lies, with linear interpolation. */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}

export const median = (values) => quantile(values, 0.5);

/** Median, lower and upper quartile, least and greatest value. */
export const spreadOf = (values) => ({
  median: median(values),
  q1: quantile(values, 0.25),
  q3: quantile(values, 0.75),
  min: Math.min(...values),
  max: Math.max(...values),
});
