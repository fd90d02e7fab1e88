/**
 * Turns values into plain JSON trees and back with the rules of the structured clone, for the boundaries that only
 * carry text. Self-contained, since its source also runs in the renderer.
 *
 * A tree is a string, a boolean, null, a finite number, or an array that starts with a tag. Objects are numbered in the
 * order in which they are met, on both sides, so that shared and circular references survive.
 *
 * @param {{ toBase64(bytes: Uint8Array): string, fromBase64(text: string): Uint8Array }} bytes
 */
export function createCloneCodec({ toBase64, fromBase64 }) {
  const MESSAGE = 'An object could not be cloned.';
  const views = { Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array };
  Object.assign(views, { Float32Array, Float64Array, BigInt64Array, BigUint64Array, DataView });
  const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const tagOf = (value) => Object.prototype.toString.call(value).slice(8, -1);

  /** @returns {unknown} the tree of a primitive, or undefined for an object */
  function encodePrimitive(value) {
    switch (typeof value) {
      case 'undefined':
        return ['u'];
      case 'bigint':
        return ['b', String(value)];
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0)
          ? value
          : ['n', Object.is(value, -0) ? '-0' : `${value}`];
      case 'string':
      case 'boolean':
        return value;
      case 'object':
        return value === null ? null : undefined;
      default:
        throw new Error(MESSAGE);
    }
  }

  /**
   * @param {unknown} value the outcome of structuredClone: nothing in it runs code or has a prototype of its own
   * @param {Map<object, number>} seen
   */
  function encodeCloned(value, seen) {
    const primitive = encodePrimitive(value);
    if (primitive !== undefined) return primitive;
    if (seen.has(value)) return ['r', seen.get(value)];
    seen.set(value, seen.size);
    const walk = (child) => encodeCloned(child, seen);
    const tag = tagOf(value);
    if (tag in views) {
      const length = tag === 'DataView' ? value.byteLength : value.length;
      return ['v', tag, walk(value.buffer), value.byteOffset, length];
    }
    switch (tag) {
      case 'Object':
        return ['o', Object.entries(value).flatMap(([key, child]) => [key, walk(child)])];
      case 'Array': {
        const entries = Object.entries(value);
        const dense = entries.length === value.length && entries.every(([key], index) => key === String(index));
        return dense ? ['a', value.map(walk)] : ['h', value.length, entries.flatMap(([k, child]) => [k, walk(child)])];
      }
      case 'Date':
        return ['d', walk(value.getTime())];
      case 'RegExp':
        return ['x', value.source, value.flags];
      case 'Map':
        return ['m', [...value].flatMap(([key, child]) => [walk(key), walk(child)])];
      case 'Set':
        return ['s', [...value].map(walk)];
      case 'ArrayBuffer':
        return ['B', toBase64(new Uint8Array(value))];
      case 'Error': {
        const name = value.name in errors ? value.name : 'Error';
        return ['e', name, String(value.message), String(value.stack), 'cause' in value ? [walk(value.cause)] : []];
      }
      case 'Number':
      case 'String':
      case 'Boolean':
      case 'BigInt':
        return ['p', walk(value.valueOf())];
      default:
        throw new Error(MESSAGE);
    }
  }

  /**
   * @param {unknown} value
   * @returns {unknown} a JSON tree
   * @throws {Error} `An object could not be cloned.`, as Electron words it
   */
  function encode(value) {
    let cloned;
    try {
      cloned = structuredClone(value);
    } catch {
      throw new Error(MESSAGE);
    }
    return encodeCloned(cloned, new Map());
  }

  /**
   * @param {unknown} tree
   * @returns {unknown}
   */
  function decode(tree) {
    const made = [];
    const keep = (value) => {
      made.push(value);
      return value;
    };
    const fill = (target, pairs) => {
      for (let i = 0; i < pairs.length; i += 2) {
        const value = read(pairs[i + 1]);
        // Plain assignment would set the prototype for a key called __proto__.
        Object.defineProperty(target, pairs[i], { value, writable: true, enumerable: true, configurable: true });
      }
      return target;
    };
    function read(node) {
      if (!Array.isArray(node)) return node;
      const [tag, a, b, c, d] = node;
      switch (tag) {
        case 'u':
          return undefined;
        case 'b':
          return BigInt(a);
        case 'n':
          return Number(a);
        case 'r':
          return made[a];
        case 'o':
          return fill(keep({}), a);
        case 'a': {
          const array = keep([]);
          for (const child of a) array.push(read(child));
          return array;
        }
        case 'h':
          return fill(keep(new Array(a)), b);
        case 'd':
          return keep(new Date(read(a)));
        case 'x':
          return keep(new RegExp(a, b));
        case 'm': {
          const map = keep(new Map());
          for (let i = 0; i < a.length; i += 2) map.set(read(a[i]), read(a[i + 1]));
          return map;
        }
        case 's': {
          const set = keep(new Set());
          for (const child of a) set.add(read(child));
          return set;
        }
        case 'B':
          return keep(fromBase64(a).slice().buffer);
        case 'v': {
          // The view was numbered before its buffer.
          const index = made.push(undefined) - 1;
          made[index] = new views[a](read(b), c, d);
          return made[index];
        }
        case 'e': {
          const error = keep(new errors[a](b));
          Object.defineProperty(error, 'stack', { value: c, writable: true, configurable: true });
          if (d.length)
            Object.defineProperty(error, 'cause', { value: read(d[0]), writable: true, configurable: true });
          return error;
        }
        case 'p':
          return keep(Object(read(a)));
        default:
          throw new Error(`unknown tag ${String(tag)}`);
      }
    }
    return read(tree);
  }

  return { encode, decode, encodePrimitive };
}

/** The codec of the main process. */
export const cloneCodec = createCloneCodec({
  toBase64: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  fromBase64: (text) => new Uint8Array(Buffer.from(text, 'base64')),
});

/**
 * @template T
 * @param {T} value
 * @returns {T} what the other side of Electron's IPC would receive
 */
export const clone = (value) => cloneCodec.decode(JSON.parse(JSON.stringify(cloneCodec.encode(value))));
