import { describe, expect, it } from 'vitest';
import { fileFor } from './renderer-files.ts';

const FOLDER = '/srv/app/renderer';

describe('fileFor', () => {
  it('serves the page at the root and files by their path', () => {
    expect(fileFor(FOLDER, 'tinyelf://app/')).toBe(`${FOLDER}/index.html`);
    expect(fileFor(FOLDER, 'tinyelf://app/assets/index-1.js?x=1#y')).toBe(`${FOLDER}/assets/index-1.js`);
  });

  it.each([
    'tinyelf://app/..%2f..%2fetc/passwd',
    'tinyelf://app/%2e%2e/%2e%2e/etc/passwd/..%2f..%2f..%2f..%2f..',
    'tinyelf://app/..%2frenderer-evil/x.js',
    'tinyelf://app/a%00.js',
    'tinyelf://app/%E0%A4%A',
    'tinyelf://elsewhere/index.html',
    'not a url',
  ])('never leaves the folder: %s', (url) => {
    const file = fileFor(FOLDER, url);
    expect(file === undefined || file.startsWith(`${FOLDER}/`)).toBe(true);
  });
});
