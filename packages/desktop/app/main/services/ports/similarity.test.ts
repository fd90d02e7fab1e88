import { expect, it } from 'vitest';
import { mostSimilar } from './similarity.ts';

it('names what is most alike, and looks at so many only', () => {
  expect(mostSimilar('Reademe.md', ['license', 'README.md', 'readme.txt', 'read'], 2)).toEqual([
    'README.md',
    'readme.txt',
  ]);
  let looked = 0;
  const endless = function* () {
    for (;;) yield `name-${looked++}`;
  };
  expect(mostSimilar('name-7', endless(), 1)).toEqual(['name-7']);
  expect(looked).toBeLessThan(3000);
});
