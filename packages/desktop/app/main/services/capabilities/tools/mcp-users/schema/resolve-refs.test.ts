import { describe, expect, it } from 'vitest';
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
])('%s leads somewhere', (ref, expected) => expect(new RefResolver(root).resolve(ref, root)).toBe(expected));

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
])('%s leads nowhere', (ref) => expect(new RefResolver(root).resolve(ref, root)).toBeUndefined());

describe('a schema within another', () => {
  const inner = { type: 'integer' };
  const outer = { type: 'string' };
  const put = { $defs: { Mine: inner }, $ref: '#/$defs/Mine' };
  const bundled = { $id: 'https://example.test/part.json', $defs: { N: inner }, properties: { n: {}, me: {} } };
  const relative = { $id: 'deep/item.json' };
  const anchored = {
    $id: 'anchored.json',
    $anchor: 'self',
    items: { $anchor: 'it', ...inner },
    $defs: { only: { $anchor: 'only' } },
  };
  const whole = {
    $id: 'https://example.test/root.json',
    properties: { put, bundled, relative, named: { id: 'just-a-name' }, anchored, other: { $anchor: 'it', ...outer } },
    $defs: { N: outer, Only: outer },
  };
  const resolver = new RefResolver(whole);

  it.each<[string, object, unknown]>([
    ['#/$defs/Mine', put, inner],
    ['#/definitions/Only', whole, outer],
    ['#/components/schemas/Only', whole, outer],
    ['#/$defs/N', whole, outer],
    ['#/$defs/N', bundled, inner],
    ['#/$defs/N', bundled.properties.n, inner],
    ['#', bundled.properties.me, bundled],
    ['#/$defs/Only', bundled.properties.n, outer],
    ['#/$defs/N', whole.properties.named, outer],
    ['part.json', whole, bundled],
    ['/part.json#/$defs/N', relative, inner],
    ['root.json', bundled, whole],
    ['../root.json#/$defs/N', relative, outer],
    ['deep/item.json', whole, relative],
    ['item.json', relative, relative],
    ['#it', anchored.items, anchored.items],
    ['#it', whole, whole.properties.other],
    ['anchored.json#it', whole, anchored.items],
    ['#self', anchored.items, anchored],
    ['anchored.json#self', whole, anchored],
    ['#only', whole, anchored.$defs.only],
  ])('%s is looked for where it stands', (ref, from, expected) =>
    expect(resolver.resolve(ref, from as Record<string, unknown>)).toBe(expected),
  );
});
