import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../platform/storage/test-disks.ts';
import { problemOfDataFolder } from './data-folder.ts';

it('makes the data folder, and says why one can’t be used', () => {
  using temp = temporaryFolder();
  const folder = join(temp.folder, 'a', 'b');
  expect(problemOfDataFolder(folder)).toBeUndefined();
  expect(existsSync(folder)).toBe(true);
  writeFileSync(join(temp.folder, 'file'), '');
  const inFile = join(temp.folder, 'file', 'data');
  expect(problemOfDataFolder(inFile)).toMatch(`The data folder ${inFile} can’t be used: E`);
});
