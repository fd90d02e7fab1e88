import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseAst } from 'vite';
import { inRoot } from '../../lib/paths.mjs';

const PAGE = inRoot('out', 'renderer', 'index.html');

export const bars = {
  size: { title: 'First-load JavaScript of the renderer, gzipped', unit: 'kB', limit: 350 },
};

/** No rounds: the same build always has the same size. */
export async function measure() {
  const bytes = firstLoad(PAGE).map((file) => gzipSync(readFileSync(file)).length);
  return { size: { app: [bytes.reduce((sum, size) => sum + size, 0) / 1000] } };
}

/** The scripts that a built page needs before it can run: those that it names and all that these import statically. */
function firstLoad(page) {
  const files = new Set();
  const add = (file) => {
    if (files.has(file)) return;
    files.add(file);
    for (const specifier of staticImports(readFileSync(file, 'utf8'))) add(join(dirname(file), specifier));
  };
  const html = readFileSync(page, 'utf8');
  for (const [tag] of html.matchAll(/<script\b[^>]*>|<link\b[^>]*\brel="modulepreload"[^>]*>/g)) {
    const address = /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1];
    if (address) add(join(dirname(page), address));
  }
  return [...files];
}

const staticImports = (code) =>
  parseAst(code).body.flatMap(({ type, source }) =>
    source && ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration'].includes(type)
      ? [source.value]
      : [],
  );
