import { isObject, type JsonObject, own } from './json.ts';

/** Finds what local references point to. */
export class RefResolver {
  readonly #root: unknown;
  /** Schemas by `$id`, `$anchor` and `$dynamicAnchor`; indexed when the first such reference is met. */
  #named?: Map<string, unknown>;

  constructor(root: unknown) {
    this.#root = root;
  }

  /** The schema that `ref` points to; undefined when it is remote or leads nowhere. */
  resolve(ref: string): unknown {
    if (ref === '#' || ref === '') return this.#root;
    if (ref.startsWith('#/')) return this.#walk(this.#root, ref.slice(1));
    const named = this.#namedSchemas();
    const whole = named.get(ref);
    if (whole !== undefined) return whole;
    const hash = ref.indexOf('#');
    if (hash < 0) return undefined;
    const base = hash === 0 ? this.#root : named.get(ref.slice(0, hash));
    const fragment = ref.slice(hash + 1);
    if (base === undefined) return undefined;
    return fragment === '' || fragment.startsWith('/') ? this.#walk(base, fragment) : named.get(`#${fragment}`);
  }

  #walk(from: unknown, pointer: string): unknown {
    let at = from;
    for (const token of pointer.split('/').slice(1)) {
      const key = decode(token);
      let next = step(at, key);
      // The pointer leads through a schema that is itself a reference.
      for (let hops = 0; next === undefined && hops < 8; hops++) {
        const ref: unknown = isObject(at) ? own(at, '$ref') : undefined;
        if (typeof ref !== 'string' || !ref.startsWith('#/') || pointer.startsWith(ref.slice(1))) return undefined;
        at = this.#walk(this.#root, ref.slice(1));
        next = step(at, key);
      }
      if (next === undefined) return undefined;
      at = next;
    }
    return typeof at === 'boolean' || isObject(at) ? at : undefined;
  }

  #namedSchemas(): Map<string, unknown> {
    if (this.#named) return this.#named;
    const named = new Map<string, unknown>();
    const visit = (value: unknown): void => {
      if (Array.isArray(value)) for (const item of value) visit(item);
      if (!isObject(value)) return;
      for (const [key, sign] of NAMING) {
        const name = own(value, key);
        // The first one wins: a second schema of the same name is the server's mistake.
        if (typeof name === 'string' && !named.has(sign + name)) named.set(sign + name, value);
      }
      for (const key of Object.keys(value)) visit(value[key]);
    };
    visit(this.#root);
    this.#named = named;
    return named;
  }
}

const NAMING: readonly (readonly [string, string])[] = [
  ['$id', ''],
  ['id', ''],
  ['$anchor', '#'],
  ['$dynamicAnchor', '#'],
];

function step(at: unknown, key: string): unknown {
  if (Array.isArray(at)) return /^\d+$/.test(key) ? at[Number(key)] : undefined;
  return isObject(at) ? own(at as JsonObject, key) : undefined;
}

function decode(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // Not percent-encoded after all.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
