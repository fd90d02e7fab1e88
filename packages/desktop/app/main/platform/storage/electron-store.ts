import { rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import ElectronStore from 'electron-store';
import type { DocumentFile } from './json-document.ts';

/** A JSON file by electron-store, which writes it to a temporary file, syncs that, and renames it over the old one. */
export function openElectronStore(file: string): DocumentFile {
  const store = new ElectronStore<Record<string, unknown>>({
    cwd: dirname(file),
    name: basename(file, '.json'),
    fileExtension: 'json',
    // Keys with dots in them are just keys, and nobody but us may decide what happens to a damaged file.
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
    configFileMode: 0o600,
    serialize,
    deserialize: (text) => (text === '' ? {} : JSON.parse(text.replace(/^\ufeff/, ''))),
  });
  return {
    write: (document) => {
      const text = serialize(document);
      reserve(`${file}.space`, text);
      store.store = document;
      if (statSync(file).size !== Buffer.byteLength(text))
        throw Object.assign(new Error('Not everything was written.'), { code: 'ENOSPC' });
    },
  };
}

const serialize = (document: Record<string, unknown>): string => JSON.stringify(document, undefined, '\t');

/**
 * Throws where the disk has no room. electron-store's writer takes a write that was cut short by a full disk for a whole one
 * and renames the stump over the good file, so the room has to be known before, and the result looked at after.
 */
function reserve(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } finally {
    rmSync(file, { force: true });
  }
}
