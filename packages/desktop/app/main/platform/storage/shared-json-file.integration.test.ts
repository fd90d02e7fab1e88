import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { SharedJsonFile } from './shared-json-file.ts';

const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent };

function makeFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tinyelf-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'deep', 'sign-ins.json');
  return { folder: join(folder, 'deep'), file, open: () => new SharedJsonFile(file, logger) };
}

it('sees what another process wrote last', () => {
  const { file, open, folder } = makeFile();
  const [one, other] = [open(), open()];
  expect(one.read()).toBeUndefined();
  other.write({ n: 1 });
  expect(one.read()).toEqual({ n: 1 });
  one.write({ n: 2 });
  expect(other.read()).toEqual({ n: 2 });
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(readdirSync(folder)).toEqual(['sign-ins.json']);
});

it.each(['{"cut', '[1', '"text"', 'null', ''])('sets %j aside and starts afresh', (content) => {
  const { file, folder, open } = makeFile();
  open().write({});
  writeFileSync(file, content);
  const store = open();
  expect(store.read()).toBeUndefined();
  store.write({ n: 1 });
  expect(store.read()).toEqual({ n: 1 });
  const aside = readdirSync(folder).find((name) => name.includes('damaged'));
  expect(readFileSync(join(folder, aside!), 'utf8')).toBe(content);
});

it('says so when it can not be written', () => {
  const { file, open } = makeFile();
  open().write({});
  const blocked = new SharedJsonFile(join(file, 'below', 'a-file.json'), logger);
  expect(() => blocked.write({})).toThrow('could not be stored');
});
