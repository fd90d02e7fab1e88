import { describe, expect, it } from 'vitest';
import { directWireName, normalizeMcpName, wireName } from './naming.ts';

const VALID = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;
const HASHED = /_[0-9a-f]{8}$/;

describe('normalizeMcpName', () => {
  it.each([
    ['plain-Name_1', 'plain-Name_1'],
    ['My Notes', 'My_Notes'],
    ['a.b/c', 'a_b_c'],
    ['天気', '__'],
    ['😀', '_'],
    ['e\u0301', 'e_'],
    ['\ud800', '_'],
    ['', ''],
  ])('%j → %j', (name, expected) => expect(normalizeMcpName(name)).toBe(expected));
});

describe('directWireName', () => {
  it.each([
    ['files', 'read_file', 'files__read_file'],
    ['My Notes', 'search', 'My_Notes__search_33e6f791'],
  ])('%j and %j → %s', (server, tool, expected) => expect(directWireName(server, tool)).toBe(expected));

  it.each(['21st', '-x', '_x', '天気', '', '9'.repeat(100)])('begins with a letter for a server %j', (server) => {
    expect(directWireName(server, 'search')).toMatch(VALID);
    expect(directWireName(server, 'search')).not.toMatch(/^mcp__/);
    expect(directWireName(`s_${server}`, 'search')).not.toBe(directWireName(server, 'search'));
  });
});

describe('wireName', () => {
  it.each([
    ['files', 'read_file', 'mcp__files__read_file'],
    ['21st-demo', 'search', 'mcp__21st-demo__search'],
    ['a', 'b__c', 'mcp__a__b__c'],
    ['_a', 'b_', 'mcp___a__b_'],
    ['s'.repeat(30), 't'.repeat(27), `mcp__${'s'.repeat(30)}__${'t'.repeat(27)}`],
  ])('keeps the plain form of %j and %j', (server, tool, expected) => expect(wireName(server, tool)).toBe(expected));

  it.each([
    ['My Notes', 'search'],
    ['天気', 'search'],
    ['files', 'repo.list'],
    ['my__db', 'run'],
    ['a_', 'x'],
    ['a', '_x'],
    ['s'.repeat(30), 't'.repeat(28)],
    ['0b9d1c52-7f0e-4b8e-9f57-2f4f3d1a6c11', 'list_customer_invoices_for_period'],
    ['x'.repeat(10_000), 'y'.repeat(10_000)],
    ['x', 'y'.repeat(10_000)],
    ['x'.repeat(10_000), 'y'],
    ['\ud800', '\udc00'],
    ['😀'.repeat(40), 'e\u0301'],
    ['files', 'report_0badcafe'],
  ])('gives %.40s and %.40s a hash, within the limits', (server, tool) => {
    const name = wireName(server, tool);
    expect(name).toMatch(VALID);
    expect(name).toMatch(HASHED);
    expect(wireName(server, tool)).toBe(name);
  });

  it('stays the same from version to version: stored histories and approvals hold it', () => {
    expect(wireName('My Notes', 'search')).toBe('mcp__My_Notes__search_33e6f791');
  });

  it('gives no tool the name that another one has with its hash', () => {
    const hashed = wireName('My Notes', 'search');
    const [, server, tool] = hashed.split('__') as [string, string, string];
    expect(wireName(server, tool)).not.toBe(hashed);
  });

  it('keeps both names readable when both are long', () => {
    expect(wireName('customer-relations-and-accounts-server', 'list_customer_invoices_for_period')).toMatch(
      /^mcp__customer-relatio__list_customer_invoices_for_perio_[0-9a-f]{8}$/,
    );
  });

  it('tells apart what cleaning, cutting and joining would make the same', () => {
    const pairs: [string, string][] = [
      ['天気', 'get'],
      ['天候', 'get'],
      ['my__db', 'run'],
      ['my', 'db__run'],
      ['a_', 'x'],
      ['a', '_x'],
      ['a', 'x'],
      ['', ''],
      ['', '__'],
      ['__', ''],
      ['_', '_'],
      ['a', ''],
      ['', 'a'],
      ['a"', ',"b'],
      ['a', '","b'],
      ['e\u0301', 'x'],
      ['\u00e9', 'x'],
      ['\ud800', 'x'],
      ['\udc00', 'x'],
      ['\ufffd', 'x'],
      ['s p', 'x'],
      ['s_p', 'x'],
      ['s-p', 'x'],
      ['s.p', 'x'],
      ['S_p', 'x'],
      ...['create', 'delete'].flatMap((verb): [string, string][] => [
        ['s', `n_${'x'.repeat(62)}_${verb}_item`],
        ['s', `${'p'.repeat(32)}_${verb}_${'s'.repeat(35)}`],
        [`${'x'.repeat(70)}${verb}`, 'run'],
      ]),
    ];
    const names = pairs.map(([server, tool]) => wireName(server, tool));
    expect(new Set(names).size).toBe(pairs.length);
    for (const name of names) expect(name).toMatch(VALID);
  });
});
