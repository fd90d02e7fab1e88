import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SharedJsonFile } from './shared-json-file.ts';

const silent = () => {};
const logger = { debug: silent, info: silent, warn: silent, error: silent };

function makeFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tinyelf-shared-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'deep', 'sign-ins.json');
  const onSetAside = vi.fn();
  const open = (path = file) => new SharedJsonFile({ file: path, logger, onSetAside });
  return { folder: join(folder, 'deep'), file, open, onSetAside };
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

it('takes a byte order mark for none, and leaves a link one', () => {
  const { file, folder, open, onSetAside } = makeFile();
  open().write({});
  const target = join(folder, 'kept-elsewhere.json');
  renameSync(file, target);
  writeFileSync(target, '\uFEFF{"n": 1}');
  symlinkSync(target, file);
  const store = open();
  expect(store.read()).toEqual({ n: 1 });
  store.write({ n: 2 });
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(target, 'utf8'))).toEqual({ n: 2 });
  expect(store.read()).toEqual({ n: 2 });
  expect(onSetAside).not.toHaveBeenCalled();
});

it.skipIf(process.platform === 'win32')('does not wait for a pipe, and sets it aside when it is written', () => {
  const { file, open, onSetAside } = makeFile();
  open().write({ n: 1 });
  rmSync(file);
  execFileSync('mkfifo', [file]);
  const store = open();
  expect(store.read()).toBeUndefined();
  store.write({ n: 2 });
  expect(store.read()).toEqual({ n: 2 });
  expect(onSetAside).toHaveBeenCalledOnce();
});

it.each(['{"cut', '[1]', '"text"', 'null', ''])('sets %j aside, says so, and starts afresh', (content) => {
  const { file, folder, open, onSetAside } = makeFile();
  open().write({});
  writeFileSync(file, content);
  const store = open();
  expect(store.read()).toBeUndefined();
  store.write({ n: 1 });
  expect(store.read()).toEqual({ n: 1 });
  const aside = join(folder, readdirSync(folder).find((name) => name.includes('damaged'))!);
  expect(readFileSync(aside, 'utf8')).toBe(content);
  expect(onSetAside.mock.calls).toEqual([[{ file, movedTo: aside }]]);
});

it('says so when it can not be written', () => {
  const { file, open } = makeFile();
  open().write({});
  const blocked = open(join(file, 'below', 'a-file.json'));
  expect(() => blocked.write({})).toThrow('could not be stored');
});

it('leaves a file alone that can not be read at the moment, and keeps it when it has to be written', () => {
  const { file, folder, open, onSetAside } = makeFile();
  const store = open();
  store.write({ n: 1 });
  expect(store.read()).toEqual({ n: 1 });
  // Stands for an error of the disk, which root would not get from permissions.
  renameSync(file, join(folder, 'meanwhile'));
  mkdirSync(file);
  expect(store.read()).toEqual({ n: 1 });
  expect(readdirSync(folder).sort()).toEqual(['meanwhile', 'sign-ins.json']);
  expect(onSetAside).not.toHaveBeenCalled();

  store.write({ n: 2 });
  expect(store.read()).toEqual({ n: 2 });
  expect(onSetAside).toHaveBeenCalledOnce();
  expect(readdirSync(folder)).toHaveLength(3);
});
