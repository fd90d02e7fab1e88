import { readFileSync } from 'node:fs';
import { importsOf } from './layers/imports.mjs';

/**
 * What the built preload imports besides `electron`. It must be nothing: a sandboxed preload that asks for more does not
 * load at all, and the window stays without its bridge.
 */
export function strangersInPreload(file) {
  const specifiers = importsOf('preload.cjs', readFileSync(file, 'utf8')).map(({ specifier }) => specifier);
  return [...new Set(specifiers)].filter((specifier) => specifier !== 'electron');
}
