import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix, relative, sep } from 'node:path';
import { importsOf } from './imports.mjs';
import { areaOf, EXCEPTIONS, isElectron, isEntryPoint, isService, RULES } from './rules.mjs';

const SHARED_ALIAS = '@shared/';
const SHARED_FOLDER = 'packages/desktop/app/shared/';

/** Tests and what serves only them: a folder named testing or __fixtures__, a file named test-support. */
const isTest = (path) => /\.test\.tsx?$|\/test-support\.ts$|\/(testing|__fixtures__)\//.test(path);

/** `react-dom` of `react-dom/client`, `@a/b` of `@a/b/c`. */
const packageOf = (specifier) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** The path in the repository that a specifier names, or undefined for a package. */
function targetOf(file, specifier) {
  const path = specifier.replace(/[?#].*$/, '');
  if (path.startsWith(SHARED_ALIAS)) return SHARED_FOLDER + path.slice(SHARED_ALIAS.length);
  if (path.startsWith('.')) return posix.normalize(posix.join(posix.dirname(file), path));
  return undefined;
}

const ruleOf = (area) => RULES[area] ?? RULES['services/*'];
const includesArea = (areas = [], area) =>
  areas.includes(area) || (area.startsWith('services/') && areas.includes('services/*'));

function packageProblem(area, specifier) {
  const { packages } = ruleOf(area);
  if (isElectron(specifier) && (area === 'shared' || area === 'renderer')) return `${area} knows nothing of Electron`;
  if (packages === 'any') return undefined;
  if (packages.includes(isBuiltin(specifier) ? 'node' : packageOf(specifier))) return undefined;
  return `its layer (${area}) may use only ${packages.join(', ')}`;
}

function areaProblem(area, target, typeOnly) {
  const targetArea = areaOf(target);
  if (targetArea === undefined) return 'it lies outside the layers';
  if (targetArea === area) return undefined;
  const rule = ruleOf(area);
  if (includesArea(rule.may, targetArea)) return undefined;
  if (includesArea(rule.entries, targetArea)) {
    return typeOnly || isEntryPoint(target) ? undefined : `${area} may use the entry points of ${targetArea} only`;
  }
  if (includesArea(rule.types, targetArea)) {
    return typeOnly ? undefined : `${area} may use types of ${targetArea} only`;
  }
  return `${area} may not use ${targetArea}`;
}

/** What is wrong with one import, in words; undefined when nothing is. */
function problemOf(file, { specifier, typeOnly }) {
  if (isService(file) && isElectron(specifier)) return 'services run without Electron';
  if (isTest(file)) return undefined;
  const area = areaOf(file);
  if (area === undefined) return undefined;
  const target = targetOf(file, specifier);
  if (EXCEPTIONS.some((exception) => exception.file === file && exception.imports.includes(target ?? specifier))) {
    return undefined;
  }
  return target === undefined ? packageProblem(area, specifier) : areaProblem(area, target, typeOnly);
}

/**
 * Checks every import below `root/packages` against the layer rules.
 *
 * @returns {{files: number, violations: string[]}} each violation as `file:line imports "x": why not`
 */
export function checkLayers(root) {
  const sources = readdirSync(join(root, 'packages'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.includes('/node_modules/'))
    .sort();
  const violations = sources.flatMap((file) =>
    importsOf(file, readFileSync(join(root, file), 'utf8')).flatMap((found) => {
      const problem = problemOf(file, found);
      return problem ? [`${file}:${found.line} imports "${found.specifier}": ${problem}.`] : [];
    }),
  );
  return { files: sources.length, violations };
}
