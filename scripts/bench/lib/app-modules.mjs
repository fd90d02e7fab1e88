import { registerHooks } from 'node:module';

const APP = new URL('../../../packages/desktop/app/', import.meta.url).href;
const SHARED = new URL('shared/', APP).href;

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.startsWith('@shared/') ? SHARED + specifier.slice('@shared/'.length) : specifier, context),
});

/** Loads a source file of the app under plain Node; `path` is relative to `packages/desktop/app/`. */
export const importFromApp = (path) => import(new URL(path, APP).href);
