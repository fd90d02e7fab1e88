import { createHash } from 'node:crypto';

/** Stands for the content of an answer: equal for what left the server and what arrived, if nothing of it changed. */
export function fingerprint(content) {
  const texts = content.map(({ text }) => text);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}

/** How many of the fingerprints in `given` are not in `received`. Equal ones are counted as often as they occur. */
export function countLost(given, received) {
  const left = new Map();
  for (const each of received) left.set(each, (left.get(each) ?? 0) + 1);
  return given.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  }).length;
}
