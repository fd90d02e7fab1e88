import { extname } from 'node:path';
import { parseSync } from 'vite';

/**
 * @typedef {object} Import
 * @property {string} specifier as written
 * @property {boolean} typeOnly erased by the compiler: nothing of it is there at run time
 * @property {number} line from 1
 */

const isTypeOnly = (node, specifiers, kind) =>
  node[kind] === 'type' || (specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === 'type'));

/** What one node of the syntax tree imports, if anything; null where the specifier is not a plain string. */
function importOf(node) {
  switch (node.type) {
    case 'ImportDeclaration':
      return [node.source.value, isTypeOnly(node, node.specifiers, 'importKind')];
    case 'ExportNamedDeclaration':
      return node.source && [node.source.value, isTypeOnly(node, node.specifiers, 'exportKind')];
    case 'ExportAllDeclaration':
      return [node.source.value, node.exportKind === 'type'];
    case 'TSImportType':
      return [node.source.value, true];
    case 'ImportExpression':
      return [literalText(node.source), false];
    case 'TSImportEqualsDeclaration':
      return node.moduleReference.expression && [node.moduleReference.expression.value, node.importKind === 'type'];
    case 'CallExpression':
      return isRequire(node.callee) && node.arguments.length > 0 ? [literalText(node.arguments[0]), false] : null;
    default:
      return null;
  }
}

const isRequire = (callee) =>
  (callee.type === 'Identifier' && callee.name === 'require') ||
  (callee.type === 'MemberExpression' && callee.object.name === 'require' && callee.property.name === 'resolve');

function literalText(node) {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}

function* nodesOf(value) {
  if (Array.isArray(value)) {
    for (const item of value) yield* nodesOf(item);
  } else if (value !== null && typeof value === 'object') {
    if (typeof value.type === 'string') yield value;
    for (const child of Object.values(value)) yield* nodesOf(child);
  }
}

/**
 * Every import of a TypeScript or JavaScript source: static, dynamic, re-exported, of types, and `require`. Throws on
 * source that can't be parsed.
 *
 * @param {string} file name, for its extension
 * @param {string} source
 * @returns {Import[]}
 */
export function importsOf(file, source) {
  const lang = { '.mjs': 'js', '.cjs': 'js', '.mts': 'ts', '.cts': 'ts' }[extname(file)] ?? extname(file).slice(1);
  const { program, errors } = parseSync(file, source, { lang });
  if (errors.length > 0) throw new Error(`${file} can't be parsed: ${errors[0].message}`);
  const found = [];
  for (const node of nodesOf(program)) {
    const [specifier, typeOnly] = importOf(node) ?? [];
    if (specifier === undefined) continue;
    found.push({ specifier, typeOnly, line: source.slice(0, node.start).split('\n').length });
  }
  return found;
}
