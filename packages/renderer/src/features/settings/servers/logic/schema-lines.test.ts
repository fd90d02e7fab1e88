import { expect, it } from 'vitest';
import { parameterLines } from './schema-lines.ts';

it('says what each parameter is', () => {
  const lines = parameterLines({
    type: 'object',
    properties: {
      text: { type: 'string', description: 'What to say' },
      rows: { type: 'array', items: { type: 'integer' } },
      mode: { enum: ['a', 'b', null] },
      maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      both: { type: ['string', 'null'] },
      fixed: { const: 1 },
      anything: true,
    },
    required: ['text'],
  });
  expect(lines.map(({ name, type, required }) => `${name}: ${type}${required ? ' !' : ''}`)).toEqual([
    'text: string !',
    'rows: integer[]',
    'mode: "a" | "b" | null',
    'maybe: string | null',
    'both: string | null',
    'fixed: 1',
    'anything: …',
  ]);
  expect(lines[0]?.description).toBe('What to say');
});

it('never fails, whatever a server sent', () => {
  const deep: Record<string, unknown> = {};
  deep.items = deep;
  deep.type = 'array';
  const hostile = [
    {},
    { properties: null },
    { properties: [] },
    { properties: { a: null, b: 7, c: { type: 5, description: 5 }, d: { enum: [] }, e: deep }, required: 'a' },
    { properties: { a: { anyOf: Array.from({ length: 5000 }, () => ({ type: 'string' })) } } },
  ];
  for (const schema of hostile) expect(() => parameterLines(schema)).not.toThrow();
});
