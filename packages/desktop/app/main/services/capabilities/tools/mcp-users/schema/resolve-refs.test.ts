import { expect, it } from 'vitest';
import { RefResolver } from './resolve-refs.ts';

const target = { type: 'string' };
const root = {
  $id: 'https://example.test/root.json',
  properties: { a: target, list: { prefixItems: [true, target] }, 'a/b': target, 'x y': target, '': target },
  $defs: {
    't~1': target,
    '50%': target,
    constructor_: {},
    anchored: { $anchor: 'here', type: 'integer' },
    embedded: { $id: 'part.json', $defs: { inner: target } },
    old: { id: '#old', type: 'boolean' },
    alias: { $ref: '#/$defs/embedded' },
    loop: { $ref: '#/$defs/loop/x' },
    first: { $ref: '#/$defs/second' },
    second: { $ref: '#/$defs/first' },
  },
};

it.each<[string, unknown]>([
  ['#', root],
  ['', root],
  ['https://example.test/root.json', root],
  ['https://example.test/root.json#/properties/a', target],
  ['#/properties/a', target],
  ['#/properties/list/prefixItems/1', target],
  ['#/properties/list/prefixItems/0', true],
  ['#/properties/a~1b', target],
  ['#/properties/a%2Fb', target],
  ['#/properties/x%20y', target],
  ['#/properties/x y', target],
  ['#/properties/', target],
  ['#/$defs/t~01', target],
  ['#/%24defs/t~01', target],
  ['#/$defs/50%', target],
  ['#here', root.$defs.anchored],
  ['#old', root.$defs.old],
  ['part.json', root.$defs.embedded],
  ['part.json#/$defs/inner', target],
  ['part.json#', root.$defs.embedded],
  ['#/$defs/alias/$defs/inner', target],
])('%s leads somewhere', (ref, expected) => expect(new RefResolver(root).resolve(ref)).toBe(expected));

it.each([
  '#/nope',
  '#/$defs/constructor',
  '#/__proto__',
  '#/properties/list/prefixItems/-1',
  '#/properties/list/prefixItems/length',
  '#/properties/a/type',
  '#/$defs/loop/x',
  '#/$defs/first/x',
  '#nowhere',
  'other.json',
  'other.json#/a',
  'https://example.test/other.json',
])('%s leads nowhere', (ref) => expect(new RefResolver(root).resolve(ref)).toBeUndefined());
