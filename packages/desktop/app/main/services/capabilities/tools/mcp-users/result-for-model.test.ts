import type { MCPCallToolResponse, MCPToolResponseContent } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { MAX_RESULT_TEXT, resultForModel } from './result-for-model.ts';

const text = (value: string): MCPToolResponseContent => ({ type: 'text', text: value });
const result = (content: MCPToolResponseContent[], more: Partial<MCPCallToolResponse> = {}): MCPCallToolResponse => ({
  isError: false,
  content,
  ...more,
});
const textOf = (response: MCPCallToolResponse): string => resultForModel(response).text;
const png = Buffer.from('A picture, 1 or less. '.repeat(60)).toString('base64');

describe('content', () => {
  it.each<[string, MCPToolResponseContent[], string]>([
    ['texts', [text('a'), text('b')], 'a\nb'],
    ['nothing', [], '(no output)'],
    ['an empty text', [text('')], '(no output)'],
    ['audio', [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }], '[Audio: audio/wav]'],
    ['an image', [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], '[Image: image/png]'],
    [
      'a broken image',
      [{ type: 'image', data: 'not base64!', mimeType: 'image/png' }],
      '[Image: image/png, unreadable]',
    ],
    [
      'a text resource',
      [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'A' } }],
      '[Resource: file:///a (text/plain)]\nA',
    ],
    [
      'a text resource that came as data',
      [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'application/json', blob: 'eyJhIjoi5pelIn0=' } }],
      '[Resource: file:///a (application/json)]\n{"a":"日"}',
    ],
    [
      'data that is not the text it is said to be',
      [{ type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', blob: '/////w==' } }],
      '[Resource: file:///a (text/plain)]',
    ],
    [
      'a binary resource',
      [{ type: 'resource', resource: { uri: 'file:///a', blob: 'AAAA' } }],
      '[Resource: file:///a]',
    ],
    [
      'a link',
      [{ type: 'resource_link', uri: 'file:///a', name: 'A', description: 'About', mimeType: 'text/plain' }],
      '[Resource: file:///a (text/plain)] A — About',
    ],
    ['a bare link', [{ type: 'resource_link', uri: 'file:///a' }], '[Resource: file:///a]'],
    [
      'unknown kinds, with what they say',
      [
        { type: 'unknown', originalType: 'markdown', value: { type: 'markdown', text: '# A' } },
        { type: 'unknown', originalType: 'json', value: { type: 'json', json: { a: 1 } } },
        { type: 'unknown', originalType: 'resource', value: { type: 'resource', resource: { text: 'A' } } },
        { type: 'unknown', originalType: 'number', value: 7 },
        { type: 'unknown', originalType: 'result', value: [1, 'a'] },
        { type: 'unknown', originalType: 'text', value: { type: 'text' } },
        { type: 'unknown', originalType: 'image', value: { type: 'image', data: '%%%' } },
        { type: 'unknown', originalType: 'object', value: null },
      ],
      '[markdown]\n# A\n[json] {"json":{"a":1}}\n[resource] {"resource":{"text":"A"}}\n[number] 7\n[result] [1,"a"]\n[text]\n[image]\n[object] null',
    ],
    ['an unknown kind', [{ type: 'unknown', originalType: 'video', value: {} }, text('x')], '[video]\nx'],
  ])('%s', (_name, content, expected) => expect(textOf(result(content))).toBe(expected));

  it('gives pictures apart, and none that is not base64', () => {
    const response = result([
      text('before'),
      { type: 'image', data: png, mimeType: 'image/png' },
      { type: 'image', data: 'AAA', mimeType: 'image/gif' },
      { type: 'image', data: '', mimeType: 'image/gif' },
    ]);
    expect(resultForModel(response).images).toEqual([{ data: png, mimeType: 'image/png' }]);
  });

  it('gives files that are pictures as pictures', () => {
    const file = (blob: string, mimeType: string): MCPToolResponseContent => ({
      type: 'resource',
      resource: { uri: 'file:///a', mimeType, blob },
    });
    const response = result([file(png, 'image/png'), file('AAA', 'image/png'), file(png, 'application/pdf')]);
    expect(resultForModel(response).images).toEqual([{ data: png, mimeType: 'image/png' }]);
  });
});

describe('structured content (C25)', () => {
  it.each<[string, MCPToolResponseContent[], unknown, string]>([
    ['alone', [], { n: 3 }, '{"n":3}'],
    ['same as the text', [text('{"n":3}')], { n: 3 }, '{"n":3}'],
    ['a wrapper of the text', [text('A file.')], { content: 'A file.\n' }, 'A file.'],
    [
      'more than the text',
      [text('A file.')],
      { content: 'A file.', size: 7 },
      'A file.\n{"content":"A file.","size":7}',
    ],
    [
      'same, spaced and ordered otherwise',
      [text('{\n "b": [1, {}],\n "a": null }')],
      { a: null, b: [1, {}] },
      '{\n "b": [1, {}],\n "a": null }',
    ],
    ['behind a summary', [text('3 rows')], { rows: [1, 2, 3] }, '3 rows\n{"rows":[1,2,3]}'],
    ['different from the JSON text', [text('{"n":4}')], { n: 3 }, '{"n":4}\n{"n":3}'],
    ['split over texts', [text('{"n":'), text('3}')], { n: 3 }, '{"n":\n3}'],
    ['one of the texts', [text('Done.'), text('{"n":3}')], { n: 3 }, 'Done.\n{"n":3}'],
    ['a wrapped value', [text('42')], { result: 42 }, '42'],
    ['a value under a name that tells', [text('42')], { count: 42 }, '42\n{"count":42}'],
    ['a wrapped list', [text('[1,2]')], { rows: [1, 2] }, '[1,2]'],
    ['a text for each item of a list', [text('1'), text('2')], { result: [1, 2] }, '1\n2'],
    ['a text for each word of a list', [text('a'), text('b c')], { result: ['a', 'b c'] }, 'a\nb c'],
    [
      'a text for each object of a list',
      [text('{\n "a": 1\n}'), text('{"a":2}')],
      { items: [{ a: 1 }, { a: 2 }] },
      '{\n "a": 1\n}\n{"a":2}',
    ],
    ['one object of a list of one', [text('{"a":1}')], { result: [{ a: 1 }] }, '{"a":1}'],
    ['other items than the texts', [text('1'), text('3')], { result: [1, 2] }, '1\n3\n{"result":[1,2]}'],
    ['in a code fence', [text('```json\n{"n": 3}\n```')], { n: 3 }, '```json\n{"n": 3}\n```'],
    ['a text that is its own structure', [text('A file.')], 'A file.', 'A file.'],
    ['a list beside nothing', [], { result: [] }, '{"result":[]}'],
    ['a wrapped text', [text('hello')], { result: 'hello' }, 'hello'],
    ['empty', [], {}, '{}'],
    ['null', [], null, '(no output)'],
    ['false', [], false, 'false'],
  ])('%s', (_name, content, structuredContent, expected) =>
    expect(textOf(result(content, { structuredContent }))).toBe(expected),
  );

  it('has a note in place of base64 data, not in place of text', () => {
    const prose = 'word '.repeat(1_000);
    const structuredContent = {
      picture: png,
      url: `data:image/png;base64,${png}`,
      prose,
      id: 'a'.repeat(40),
      hex: 'a'.repeat(600),
    };
    const told = textOf(result([], { structuredContent }));
    expect(told).not.toContain(png.slice(0, 80));
    expect(told).toContain('"picture":"[base64 data, 1 KB, not shown]"');
    expect(told).toContain('"url":"[image/png data, 1 KB, not shown]"');
    expect(told).toContain(prose);
    expect(told).toContain('a'.repeat(600));
  });

  it.each(['iVBORw0KGgo=', png])('does not repeat the data of a block beside it (%#)', (data) => {
    const structuredContent = { picture: data, url: `data:image/png;base64,${data}`, n: 1 };
    const told = textOf(result([{ type: 'image', data, mimeType: 'image/png' }], { structuredContent }));
    const note = '[the data of the block above]';
    expect(told).toBe(`[Image: image/png]\n${JSON.stringify({ picture: note, url: note, n: 1 })}`);
  });

  it('that is not JSON loses nothing else', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(textOf(result([text('ok')], { structuredContent: circular }))).toContain('ok');
    expect(textOf(result([], { structuredContent: { n: 1n } }))).toBe('[structured content that is not JSON]');
  });
});

describe('failures (C26)', () => {
  it('keep their text and their data', () => {
    expect(textOf(result([text('no such file')], { isError: true, structuredContent: { error: 'x' } }))).toBe(
      'no such file\n{"error":"x"}',
    );
  });
  it('without a text say so', () => {
    expect(textOf(result([], { isError: true }))).toBe('The tool failed without saying why.');
    expect(textOf(result([text(' \n')], { isError: true }))).toBe('The tool failed without saying why.');
  });
});

describe('length', () => {
  it('keeps beginning and end, and says how much is missing', () => {
    const told = textOf(result([text(`BEGIN${'x'.repeat(300_000)}`), text('END')]));
    expect(told.length).toBeLessThanOrEqual(MAX_RESULT_TEXT);
    expect(told.length).toBeGreaterThan(MAX_RESULT_TEXT - 200);
    expect(told).toMatch(/^BEGINx+\n\[… \d+ characters left out …\]\nx+\nEND$/);
    const missing = Number(/… (\d+) characters/.exec(told)?.[1]);
    expect(told.match(/x/g)!.length + missing).toBe(300_000);
  });

  it('does not touch what fits', () => {
    const whole = 'y'.repeat(MAX_RESULT_TEXT);
    expect(textOf(result([text(whole)]))).toBe(whole);
  });

  it.each([0, 1, 2, 3])('never cuts a character in two (offset %d)', (offset) => {
    const told = textOf(result([text('z'.repeat(offset) + '😀'.repeat(100_000))]));
    expect(told.isWellFormed()).toBe(true);
  });

  it('counts structured content too', () => {
    const told = textOf(
      result([text('t')], { structuredContent: { rows: Array.from({ length: 100_000 }, (_, i) => i) } }),
    );
    expect(told.length).toBeLessThanOrEqual(MAX_RESULT_TEXT);
  });
});
