import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { StreamPart } from '../../../ports/model.ts';
import { ToolCallTracker } from './tool-call-tracker.ts';

interface Chunk {
  index?: unknown;
  id?: unknown;
  name?: unknown;
  args?: unknown;
}

/** The calls that chunks join to; checks on the way that the parts agree with each other. */
function join(chunks: Chunk[]): { id: string; name: string; args: string }[] {
  const tracker = new ToolCallTracker();
  const parts: StreamPart[] = chunks.flatMap(({ index, id, name, args }) =>
    tracker.push({
      ...(index !== undefined && { index }),
      ...(id !== undefined && { id }),
      function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
    }),
  );
  parts.push(...tracker.end());
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call-end' ? [{ id: part.callId, name: part.name, args: part.argsText }] : [],
  );
  for (const call of calls) {
    const starts = parts.filter((part) => part.type === 'tool-call-start' && part.callId === call.id);
    const text = parts.map((part) => (part.type === 'tool-call-delta' && part.callId === call.id ? part.argsText : ''));
    expect(starts).toHaveLength(1);
    expect(text.join('')).toBe(call.args);
  }
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  return calls;
}

const F = { id: 'c1', name: 'f', args: '{"a":1}' };
const G = { id: 'c2', name: 'g', args: '{"b":2}' };

describe('ToolCallTracker', () => {
  test.each<[string, Chunk[]]>([
    [
      'the same index for both',
      [
        { index: 0, ...F },
        { index: 0, ...G },
      ],
    ],
    ['no index', [F, G]],
    [
      'gaps between the indexes',
      [
        { index: 0, ...F },
        { index: 2, ...G },
      ],
    ],
    ['no index, cut in pieces', [{ ...F, args: '{"a"' }, { args: ':1}' }, { ...G, args: '{"b"' }, { args: ':2}' }]],
    [
      'the same index, cut in pieces',
      [
        { index: 0, ...F, args: '' },
        { index: 0, args: '{"a":1}' },
        { index: 0, ...G, args: '' },
        { index: 0, args: '{"b":2}' },
      ],
    ],
    [
      'interleaved by index',
      [
        { index: 0, ...F, args: '{"a"' },
        { index: 1, ...G, args: '{"b"' },
        { index: 0, args: ':1}' },
        { index: 1, args: ':2}' },
      ],
    ],
    [
      'interleaved by id, at one index',
      [
        { index: 0, ...F, args: '{"a"' },
        { index: 0, ...G, args: '{"b"' },
        { index: 0, id: 'c1', args: ':1}' },
        { index: 0, id: 'c2', args: ':2}' },
      ],
    ],
    [
      'id and name in each chunk',
      [
        { index: 0, ...F, args: '{"a"' },
        { index: 0, ...F, args: ':1}' },
        { index: 1, ...G, args: '{"b"' },
        { index: 1, ...G, args: ':2}' },
      ],
    ],
    [
      'empty id and name afterwards',
      [
        { index: 0, ...F, args: '{"a"' },
        { index: 0, id: '', name: '', args: ':1}' },
        { index: 1, ...G, args: '' },
        { index: 1, id: '', name: '', args: '{"b":2}' },
      ],
    ],
    [
      'a call said once more as a whole',
      [
        { index: 0, ...F },
        { index: 0, ...F },
        { index: 1, ...G },
      ],
    ],
    [
      'the id before the name',
      [
        { index: 0, id: 'c1' },
        { index: 0, name: 'f', args: '{"a":1}' },
        { index: 1, ...G },
      ],
    ],
    [
      'null for what is absent',
      [{ index: 0, ...F, args: null }, { index: 0, id: null, name: null, args: '{"a":1}' }, G],
    ],
    [
      'an index that counts chunks',
      [
        { index: 0, ...F, args: '{"a"' },
        { index: 1, id: 'c1', args: ':1}' },
        { index: 2, ...G },
      ],
    ],
    [
      'an index that is text',
      [
        { index: '0', ...F, args: '' },
        { index: '1', ...G, args: '' },
        { index: '0', args: '{"a":1}' },
        { index: '1', args: '{"b":2}' },
      ],
    ],
    [
      'a name in pieces',
      [
        { index: 0, id: 'c1', name: '', args: '' },
        { index: 0, ...F, args: '' },
        { index: 0, args: '{"a":1}' },
        { index: 1, ...G },
      ],
    ],
  ])('two calls stay two: %s', (_what, chunks) => {
    expect(join(chunks)).toEqual([F, G]);
  });

  test('one call stays one although its id changes with each chunk', () => {
    const chunks = [
      { index: 0, id: 'x1', name: 'f', args: '{"a"' },
      { index: 0, id: 'x2', args: ':1' },
      { index: 0, id: 'x3', args: '}' },
    ];
    expect(join(chunks)).toEqual([{ id: 'x1', name: 'f', args: '{"a":1}' }]);
    expect(join(chunks.map((chunk) => ({ ...chunk, index: undefined })))).toEqual([
      { id: 'x1', name: 'f', args: '{"a":1}' },
    ]);
    expect(join(chunks.map((chunk) => ({ ...chunk, name: 'f' })))).toEqual([{ id: 'x1', name: 'f', args: '{"a":1}' }]);
  });

  test('a number as id becomes text', () => {
    expect(join([{ index: 0, id: 7, name: 'f', args: '{}' }])).toEqual([{ id: '7', name: 'f', args: '{}' }]);
  });

  test.each<[string, Chunk[]]>([
    [
      'with indexes',
      [
        { index: 0, name: 'f', args: '{"a"' },
        { index: 0, args: ':1}' },
        { index: 1, name: 'f', args: '{"a":2}' },
      ],
    ],
    [
      'without',
      [
        { name: 'f', args: '{"a":1}' },
        { name: 'f', args: '{"a":2}' },
      ],
    ],
    [
      'all at index 0',
      [
        { index: 0, name: 'f', args: '{"a":1}' },
        { index: 0, name: 'f', args: '{"a":2}' },
      ],
    ],
    [
      'under one empty id',
      [
        { index: 0, id: '', name: 'f', args: '{"a":1}' },
        { index: 1, id: '', name: 'f', args: '{"a":2}' },
      ],
    ],
  ])('calls that never get an id are given one: %s', (_what, chunks) => {
    const calls = join(chunks);
    expect(calls.map(({ args }) => args)).toEqual(['{"a":1}', '{"a":2}']);
    for (const { id } of calls) expect(id).toMatch(/^call_[0-9a-f]{24}$/);
  });

  test('two calls under one id are two, with an id each', () => {
    const calls = join([
      { index: 0, id: 'c', name: 'f', args: '' },
      { index: 0, args: '{"a":1}' },
      { index: 1, id: 'c', name: 'f', args: '' },
      { index: 1, args: '{"a":1}' },
    ]);
    expect(calls.map(({ args }) => args)).toEqual(['{"a":1}', '{"a":1}']);
    expect(calls[0]?.id).toBe('c');
  });

  test.each<[string, Chunk[], string[]]>([
    [
      'that begin together',
      [
        { index: 0, id: 'c', name: 'f', args: '' },
        { index: 1, id: 'c', name: 'f', args: '' },
        { index: 0, args: '{"a":1}' },
        { index: 1, args: '{"a":2}' },
      ],
      ['{"a":1}', '{"a":2}'],
    ],
    [
      'that name it in each chunk',
      [
        { index: 0, id: 'c', name: 'f', args: '' },
        { index: 1, id: 'c', name: 'g', args: '' },
        { index: 0, id: 'c', args: '{"a":1}' },
        { index: 1, id: 'c', args: '{"a":2}' },
      ],
      ['{"a":1}', '{"a":2}'],
    ],
    [
      'without arguments',
      [
        { index: 0, id: 'c', name: 'f', args: '' },
        { index: 1, id: 'c', name: 'f', args: '' },
      ],
      ['', ''],
    ],
  ])('calls under one id are two: %s', (_what, chunks, args) => {
    expect(join(chunks).map((call) => call.args)).toEqual(args);
  });

  test.each([
    [['get_', 'weather'], 'get_weather'],
    [['get_', 'get_weather'], 'get_weather'],
  ])('a name that comes as %j is one', (pieces, name) => {
    const [first, second] = pieces;
    const chunks: Chunk[] = [
      { index: 0, id: 'c1', name: first, args: '' },
      { index: 0, name: second, args: '' },
      { index: 0, args: '{}' },
    ];
    expect(join(chunks)).toEqual([{ id: 'c1', name, args: '{}' }]);
  });

  test.each(['', null, undefined])('a call under the name %j is made, for the model to be told', (name) => {
    expect(join([{ index: 0, id: 'c1', name, args: '{"a":1}' }])).toEqual([{ id: 'c1', name: '', args: '{"a":1}' }]);
    expect(join([{ index: 0, id: 'c1', name, args: '' }])).toEqual([]);
  });

  test('a name and arguments beside the id are those of the call', () => {
    const tracker = new ToolCallTracker();
    tracker.push({ index: 0, type: 'function', id: 'c1', name: 'f', arguments: '{"a":1}' });
    expect(tracker.end().at(-1)).toMatchObject({ callId: 'c1', name: 'f', argsText: '{"a":1}' });
  });

  test('calls of tools without arguments stay apart', () => {
    expect(
      join([
        { index: 0, id: 'c1', name: 'f', args: '' },
        { index: 0, id: 'c2', name: 'g' },
      ]),
    ).toEqual([
      { id: 'c1', name: 'f', args: '' },
      { id: 'c2', name: 'g', args: '' },
    ]);
  });

  test.each(['{}', 'null', '""', '[]'])('%s in the middle of arguments is a part of them', (inner) => {
    const pieces = ['{"a":', inner, '}'];
    const chunks = pieces.map((args, i) => ({ index: 0, ...(i === 0 && { id: 'c1', name: 'f' }), args }));
    expect(join(chunks)).toEqual([{ id: 'c1', name: 'f', args: pieces.join('') }]);
  });

  test.each([{}, '{}', 'null'])('%j before the real arguments is a placeholder', (args) => {
    expect(
      join([
        { index: 0, id: 'c1', name: 'f', args },
        { index: 0, args: '{"a"' },
        { index: 0, args: ':1}' },
        { index: 1, id: 'c2', name: 'g', args },
      ]),
    ).toEqual([F, { id: 'c2', name: 'g', args: typeof args === 'string' ? args : '{}' }]);
  });

  test('arguments as an object become text', () => {
    expect(join([{ index: 0, id: 'c1', name: 'f', args: { a: 1 } }])).toEqual([F]);
  });

  test('what is no call at all is ignored', () => {
    const tracker = new ToolCallTracker();
    expect([null, 'x', 3, [], {}].flatMap((raw) => tracker.push(raw))).toEqual([]);
    expect(tracker.end()).toEqual([]);
  });

  test('a signature beside a call is kept with it', () => {
    const tracker = new ToolCallTracker();
    const extra = { google: { thought_signature: 'sig' } };
    tracker.push({ index: 0, id: 'c1', function: { name: 'f', arguments: '{}' }, extra_content: extra });
    expect(tracker.end().at(-1)).toMatchObject({ providerData: { kind: 'openai-chat', extra_content: extra } });
  });

  /** How servers tell the pieces of calls apart; `first` is true for the first piece of a call. */
  const STYLES: Record<string, (call: number, first: boolean, name: string) => Chunk> = {
    'an index, id and name first': (index, first, name) => (first ? { index, id: `c${index}`, name } : { index }),
    'an index, empty id and name afterwards': (index, first, name) => ({
      index,
      id: first ? `c${index}` : '',
      name: first ? name : '',
    }),
    'index, id and name in each': (index, _first, name) => ({ index, id: `c${index}`, name }),
    'no index': (call, first, name) => (first ? { id: `c${call}`, name } : {}),
    'index 0 for all': (call, first, name) => (first ? { index: 0, id: `c${call}`, name } : { index: 0 }),
    'an id in each and no index': (call, first, name) => ({ id: `c${call}`, ...(first && { name }) }),
    'gaps between the indexes': (call, first, name) =>
      first ? { index: 3 * call, id: `c${call}`, name } : { index: 3 * call },
  };

  test.each(Object.entries(STYLES))('arguments cut anywhere, in the middle of a character too: %s', (_style, tell) => {
    const args = fc
      .dictionary(fc.string({ unit: 'grapheme', maxLength: 4 }), fc.json({ maxDepth: 1 }), { minKeys: 1, maxKeys: 3 })
      .map((value) => JSON.stringify(value));
    const call = fc.tuple(args, fc.array(fc.nat(40), { maxLength: 5 }), fc.constantFrom('f', 'g'), fc.boolean());
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), (calls) => {
        const chunks = calls.flatMap(([text, cuts, name, apart], index) => {
          const ends = [...new Set(cuts.map((cut) => cut % text.length))].filter((cut) => cut > 0);
          const places = [0, ...ends.sort((a, b) => a - b), text.length];
          const pieces = places.slice(1).map((end, i) => text.slice(places[i], end));
          // Many begin with the name alone.
          if (apart) pieces.unshift('');
          return pieces.map((piece, i) => ({ ...tell(index, i === 0, name), args: piece }));
        });
        expect(join(chunks).map(({ name, args }) => [name, args])).toEqual(calls.map(([text, , name]) => [name, text]));
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});
