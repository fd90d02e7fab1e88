import Module, { registerHooks } from 'node:module';

const NAMES = new Set(['electron', 'electron/main', 'electron/common']);
const ADDRESS = 'electron-standin:electron';

/**
 * Makes `electron` resolve to the given object, for `require` and for `import`.
 *
 * @param {Record<string, unknown>} electron
 */
export function provideElectron(electron) {
  const load = /** @type {any} */ (Module)._load;
  /** @type {any} */ (Module)._load = function loadElectron(name, ...rest) {
    return NAMES.has(name) ? electron : Reflect.apply(load, this, [name, ...rest]);
  };
  const key = Symbol.for(ADDRESS);
  Object.defineProperty(globalThis, key, { value: electron });
  const names = Object.keys(electron);
  const source = `const electron = globalThis[Symbol.for(${JSON.stringify(ADDRESS)})];
export default electron;
export const { ${names.join(', ')} } = electron;`;
  registerHooks({
    resolve(specifier, context, next) {
      if (NAMES.has(specifier)) return { url: ADDRESS, format: 'module', shortCircuit: true };
      return next(specifier, context);
    },
    load(url, context, next) {
      if (url === ADDRESS) return { format: 'module', source, shortCircuit: true };
      return next(url, context);
    },
  });
}
