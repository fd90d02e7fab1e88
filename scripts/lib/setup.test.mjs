import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { inputDigest } from './build.mjs';
import { matchesLock } from './install.mjs';
import { isAtLeast, MINIMUM } from './node-runtime.mjs';
import { strangersInPreload } from './preload-bundle.mjs';
import { duration } from './progress.mjs';
import { readStamp, writeStamp } from './stamp.mjs';
import { transcriptOf } from './transcript.mjs';

const folders = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'scripts-'));
  folders.push(path);
  return path;
};

afterEach(() => {
  for (const path of folders.splice(0)) rmSync(path, { recursive: true });
});

describe('isAtLeast', () => {
  it.each([
    ['22.12.0', true],
    ['22.11.9', false],
    ['22.2.0', false],
    ['24.0.0', true],
    ['20.19.5', false],
    ['100.0.0', true],
  ])('%s against the minimum: %s', (version, expected) => expect(isAtLeast(version, MINIMUM)).toBe(expected));
});

describe('matchesLock', () => {
  const LINUX = { platform: 'linux', arch: 'x64' };
  const lock = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0' },
      'node_modules/b': { version: '2.0.0', optional: true, os: 'linux', cpu: ['x64'] },
      'node_modules/c': { version: '3.0.0', optional: true, os: ['!win32'] },
    },
  };
  const [a, b, c] = ['a', 'b', 'c'].map((name) => lock.packages[`node_modules/${name}`]);
  const installed = (packages) => ({
    packages: Object.fromEntries(Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry])),
  });
  const matches = (packages, { machine = LINUX, gone = '' } = {}) =>
    matchesLock(lock, packages && installed(packages), machine, (path) => path !== `node_modules/${gone}`);

  it('accepts the same packages, with optional ones or without', () => {
    expect(matches({ a, b, c })).toBe(true);
    expect(matches({ a })).toBe(true);
    expect(matches({ a, c }, { machine: { platform: 'darwin', arch: 'arm64' } })).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['an empty note', {}],
    ['another version', { a: { version: '1.0.1' } }],
    ['a missing package', { b }],
    ['a package too many', { a, d: { version: '1.0.0' } }],
    ['a package that is noted and gone', { a, b }, { gone: 'b' }],
    ['packages of another processor', { a, b }, { machine: { platform: 'linux', arch: 'arm64' } }],
    ['packages of another system', { a, c }, { machine: { platform: 'win32', arch: 'x64' } }],
  ])('refuses %s', (_what, packages, options) => expect(matches(packages, options)).toBe(false));
});

describe('inputDigest', () => {
  it('changes with a source or its name, not with a test', () => {
    const root = folder();
    mkdirSync(join(root, 'packages'));
    const write = (name, text) => writeFileSync(join(root, 'packages', name), text);
    const digest = () => inputDigest(root, ['packages', 'not-there.json']);
    write('a.ts', '1');
    const first = digest();
    write('a.test.ts', '1');
    expect(digest()).toBe(first);
    write('a.ts', '2');
    expect(digest()).not.toBe(first);
    write('a.ts', '1');
    expect(digest()).toBe(first);
    write('b.ts', '');
    expect(digest()).not.toBe(first);
  });
});

describe('stamps', () => {
  it('give back what was noted, and nothing where there is none or it is damaged', () => {
    const file = join(folder(), 'deep', 'note.json');
    expect(readStamp(file)).toBeUndefined();
    writeStamp(file, { a: 1 });
    expect(readStamp(file)).toEqual({ a: 1 });
    writeFileSync(file, '{"a":');
    expect(readStamp(file)).toBeUndefined();
  });
});

describe('strangersInPreload', () => {
  it('names what a sandboxed preload could not load', () => {
    const file = join(folder(), 'index.cjs');
    writeFileSync(file, `const e = require("electron"); require('./chunk.cjs'); const z = require("zod");`);
    expect(strangersInPreload(file)).toEqual(['./chunk.cjs', 'zod']);
    writeFileSync(file, `"use strict";let e=require("electron");`);
    expect(strangersInPreload(file)).toEqual([]);
  });
});

describe('duration', () => {
  it.each([
    [820.4, '820 ms'],
    [12_400, '12 s'],
    [185_000, '3 min 5 s'],
  ])('%d ms is %s', (ms, expected) => expect(duration(ms)).toBe(expected));
});

describe('transcriptOf', () => {
  it('tells the whole conversation, with a fence that its content cannot close', () => {
    const tool = {
      type: 'tool',
      wireName: 'mcp__files__read',
      serverName: 'files',
      toolName: 'read',
      args: { path: 'a.txt' },
      state: 'done',
      result: { isError: false, content: [{ type: 'text', text: '```\nthe token' }] },
    };
    const messages = [
      { role: 'user', parts: [{ type: 'text', text: 'Read a.txt' }] },
      { role: 'assistant', parts: [tool, { type: 'text', text: 'It says: the token' }] },
    ];
    const text = transcriptOf({ conversation: { title: 'Files' }, messages }, ['Recorded today.']);
    expect(text).toContain('# Files\n\nRecorded today.');
    expect(text).toContain('## Person\n\nRead a.txt');
    expect(text).toContain('**Tool** files · read (done)');
    expect(text).toContain('"path": "a.txt"');
    expect(text).toContain('````\n```\nthe token\n````');
    expect(text).toContain('It says: the token');
  });
});
