import { describe, expect, it } from 'vitest';
import { headersOf, readHeaderParameters } from './header-parameters.ts';

const schema = (properties: Record<string, unknown>, more: object = {}) => ({ type: 'object', properties, ...more });
const text = (name: unknown) => ({ type: 'string', 'x-mcp-header': name });

describe('readHeaderParameters', () => {
  it('finds declarations, nested ones too', () => {
    expect(
      readHeaderParameters(
        schema({ region: text('Region'), deep: schema({ on: { type: 'boolean', 'x-mcp-header': 'On' } }) }),
      ),
    ).toEqual([
      { path: ['region'], header: 'Mcp-Param-Region' },
      { path: ['deep', 'on'], header: 'Mcp-Param-On' },
    ]);
    expect(readHeaderParameters(schema({ plain: { type: 'string' } }))).toEqual([]);
  });

  it.each([
    ['an empty name', schema({ a: text('') })],
    ['no text as name', schema({ a: text(null) })],
    ['a space', schema({ a: text('My Region') })],
    ['a colon', schema({ a: text('a:b') })],
    ['a line end', schema({ a: text('a\r\nb') })],
    ['other letters', schema({ a: text('Région') })],
    ['an object', schema({ a: { type: 'object', 'x-mcp-header': 'A' } })],
    ['a number', schema({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    ['no type', schema({ a: { 'x-mcp-header': 'A' } })],
    ['the same name twice', schema({ a: text('A'), b: text('a') })],
    ['the root', { ...schema({}), 'x-mcp-header': 'A' }],
    ['items of a list', schema({ a: { type: 'array', items: text('A') } })],
    ['a branch', schema({}, { anyOf: [schema({ a: text('A') })] })],
    ['a definition', schema({}, { $defs: { a: text('A') } })],
  ])('refuses %s', (_, bad) => {
    expect(readHeaderParameters(bad)).toEqual(expect.any(String));
  });

  it('takes data for data, and a parameter of that name for a parameter', () => {
    expect(readHeaderParameters(schema({ a: { type: 'object', default: { 'x-mcp-header': '' } } }))).toEqual([]);
    expect(readHeaderParameters(schema({ 'x-mcp-header': { type: 'string' } }))).toEqual([]);
  });
});

describe('headersOf', () => {
  const one = [{ path: ['a'], header: 'Mcp-Param-A' }];
  it.each([
    ['plain text', 'plain text'],
    ['', '=?base64??='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['a\r\nX-Evil: 1', '=?base64?YQ0KWC1FdmlsOiAx?='],
    ['世界', '=?base64?5LiW55WM?='],
    ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
    [42, '42'],
    [false, 'false'],
  ])('says %j', (value, header) => {
    expect(headersOf(one, { a: value })).toEqual({ 'Mcp-Param-A': header });
  });

  it.each([undefined, null, 1.5, 2 ** 60, {}, []])('leaves %j out', (value) => {
    expect(headersOf(one, { a: value })).toEqual({});
  });
});
