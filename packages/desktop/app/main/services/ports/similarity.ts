/** How alike two texts are, from 0 to 1: the share of pairs of neighbouring characters that they have in common. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length < 2 || b.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let i = 0; i < a.length - 1; i++) {
    const pair = a.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let i = 0; i < b.length - 1; i++) {
    const pair = b.slice(i, i + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    pairs.set(pair, left - 1);
    common++;
  }
  return (2 * common) / (a.length + b.length - 2);
}

/** Of more candidates the rest isn't looked at: it would keep the app busy for seconds. */
const MAX_COMPARED = 2000;

/** Those of the first 2,000 that are most like `wanted`, most alike first, at most `count`; case doesn't matter. */
export function mostSimilar(wanted: string, candidates: Iterable<string>, count: number): string[] {
  const rated: { text: string; rating: number }[] = [];
  let compared = 0;
  for (const text of candidates) {
    if (++compared > MAX_COMPARED) break;
    const rating = similarity(wanted.toLowerCase(), text.toLowerCase());
    if (rating >= 0.5) rated.push({ text, rating });
  }
  return rated
    .sort((a, b) => b.rating - a.rating)
    .slice(0, count)
    .map(({ text }) => text);
}
