import { describe, expect, it } from 'vitest';
import { intersect, unite } from './combine.ts';
import type { Schema } from './json.ts';

describe('intersect', () => {
  it.each<[string, Schema, Schema, Schema]>([
    ['types', { type: ['string', 'number', 'null'] }, { type: ['integer', 'null'] }, { type: ['null', 'integer'] }],
    ['number and integer', { type: 'number' }, { type: 'integer' }, { type: 'integer' }],
    ['lower bounds', { minimum: 1, minLength: 5 }, { minimum: 3, minLength: 2 }, { minimum: 3, minLength: 5 }],
    ['upper bounds', { maximum: 1, maxItems: 5 }, { maximum: 3, maxItems: 2 }, { maximum: 1, maxItems: 2 }],
    ['required', { required: ['a', 'b'] }, { required: ['b', 'c'] }, { required: ['a', 'b', 'c'] }],
    ['enums', { enum: [1, { a: 1 }, 'x'] }, { enum: ['x', { a: 1 }, 2] }, { enum: [{ a: 1 }, 'x'] }],
    ['descriptions', { description: 'a', title: 'A' }, { description: 'b' }, { description: 'b', title: 'A' }],
    ['items', { items: { type: 'string' } }, { items: { minLength: 1 } }, { items: { type: 'string', minLength: 1 } }],
    ['patterns, both', { pattern: 'a' }, { pattern: 'b' }, { pattern: 'a', allOf: [{ pattern: 'b' }] }],
    ['equal patterns, once', { pattern: 'a' }, { pattern: 'a' }, { pattern: 'a' }],
    [
      'unions, both',
      { anyOf: [{ minimum: 1 }] },
      { anyOf: [{ minimum: 2 }] },
      { anyOf: [{ minimum: 1 }], allOf: [{ anyOf: [{ minimum: 2 }] }] },
    ],
    ['with nothing at all', { type: 'string' }, {}, { type: 'string' }],
    ['with never', { type: 'string' }, { not: {} }, { not: {} }],
    [
      'maps',
      { additionalProperties: true },
      { additionalProperties: { type: 'string' } },
      { additionalProperties: { type: 'string' } },
    ],
    ['uniqueness', { uniqueItems: false }, { uniqueItems: true }, { uniqueItems: true }],
    [
      'dependencies',
      { dependentRequired: { a: ['b'] } },
      { dependentRequired: { a: ['c'], d: [] } },
      { dependentRequired: { a: ['b', 'c'], d: [] } },
    ],
  ])('%s', (_name, a, b, expected) => expect(intersect(a, b)).toEqual(expected));

  it('joins properties, and does not close what the other side adds to', () => {
    const a: Schema = { properties: { x: { type: 'string' }, y: {} }, additionalProperties: false };
    const b: Schema = { properties: { x: { minLength: 1 }, z: {} } };
    expect(intersect(a, b)).toEqual({ properties: { x: { type: 'string', minLength: 1 }, y: {}, z: {} } });
  });

  it('keeps conditions apart: each `then` stays with its own `if`', () => {
    const one = JSON.parse('{"if":{"required":["a"]},"else":{"required":["b"]}}') as Schema;
    const two = JSON.parse('{"if":{"required":["c"]},"then":{"required":["d"]}}') as Schema;
    expect(intersect(one, two)).toEqual({ ...one, allOf: [two] });
  });

  it('changes neither side', () => {
    const a: Schema = { required: ['a'], properties: { x: { enum: [1, 2] } } };
    const b: Schema = { required: ['b'], properties: { x: { enum: [2] } } };
    const before = JSON.stringify([a, b]);
    intersect(a, b);
    expect(JSON.stringify([a, b])).toBe(before);
  });
});

describe('unite', () => {
  it.each<[string, Schema[], Schema]>([
    ['one', [{ type: 'string' }], { type: 'string' }],
    ['equal ones', [{ type: 'string' }, { type: 'string' }], { type: 'string' }],
    [
      'equal but for the description',
      [
        { type: 'string', description: 'a' },
        { type: 'string', description: 'b' },
      ],
      { type: 'string', description: 'a / b' },
    ],
    [
      'values',
      [
        { const: 'a', type: 'string' },
        { enum: ['b', 'a'], type: 'string' },
      ],
      { type: 'string', enum: ['a', 'b'] },
    ],
    [
      'values of several types',
      [
        { const: 'a', type: 'string' },
        { const: 1, type: 'integer' },
      ],
      { type: ['string', 'integer'], enum: ['a', 1] },
    ],
    ['anything and something', [{}, { type: 'string' }], {}],
    ['never and something', [{ not: {} }, { type: 'string' }], { type: 'string' }],
    ['unlike ones', [{ type: 'string' }, { type: 'integer' }], { anyOf: [{ type: 'string' }, { type: 'integer' }] }],
    [
      'unions',
      [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'null' }],
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
    ],
    ['none', [], {}],
  ])('%s', (_name, schemas, expected) => expect(unite(schemas)).toEqual(expected));
});
