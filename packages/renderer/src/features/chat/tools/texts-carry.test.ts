import { expect, it } from 'vitest';
import { textsCarry } from './texts-carry.ts';

it.each<[boolean, string[], unknown]>([
  [true, ['{"b": 2, "a": [1]}'], { a: [1], b: 2 }],
  [true, ['Hello '], { content: 'Hello' }],
  [true, ['[1, 2]'], { result: [1, 2] }],
  [true, ['5'], { result: 5 }],
  [true, ['[1,', '2]'], [1, 2]],
  [false, ['Hello'], { content: 'Hello', size: 5 }],
  [false, ['Hello'], { content: 'Hello there' }],
  [false, ['{"a": 1}'], { a: 2 }],
  [false, [''], { content: '' }],
  [false, [], { a: 1 }],
  [false, ['1'], ['1', '2']],
])('%s: %j says all of %j', (carries, texts, structured) => {
  expect(textsCarry(texts, structured)).toBe(carries);
});
