import { isObject, type JsonObject, own } from './json.ts';

/** A schema with an address of its own: references within it start from there, not from the schema around it. */
interface Resource {
  root: unknown;
  address: string;
}

/** The address of a schema that gives itself none. */
const NO_ADDRESS = 'http://schema.invalid/';

/** Finds what local references point to. */
export class RefResolver {
  readonly #whole: Resource;
  /** Indexed when the first reference is met. */
  #index?: Index;

  constructor(root: unknown) {
    this.#whole = { root, address: addressOf(root, NO_ADDRESS) };
  }

  /**
   * The schema that `ref` points to; undefined when it is remote or leads nowhere.
   * @param from the schema in which it stands
   */
  resolve(ref: string, from: JsonObject): unknown {
    this.#index ??= indexOf(this.#whole);
    const { named, resources, definitions } = this.#index;
    const hash = ref.indexOf('#');
    const document = hash < 0 ? ref : ref.slice(0, hash);
    const fragment = hash < 0 ? '' : ref.slice(hash + 1);
    const { root, address } = resources.get(from) ?? this.#whole;
    const start = document === '' ? root : (named.get(absolute(document, address)) ?? named.get(document));
    if (start === undefined || fragment === '') return start;
    if (!fragment.startsWith('/')) return named.get(absolute(ref, address)) ?? named.get(`#${fragment}`);
    const target = this.#walk(start, fragment);
    if (target !== undefined || document !== '') return target;
    // Schemas are put into others as they are; then their pointers miss, or name the map as another draft does.
    return this.#walk(this.#whole.root, fragment) ?? definitions.get(DEFINITION.exec(fragment)?.[1] ?? '');
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
        at = this.#walk(this.#whole.root, ref.slice(1));
        next = step(at, key);
      }
      if (next === undefined) return undefined;
      at = next;
    }
    return typeof at === 'boolean' || isObject(at) ? at : undefined;
  }
}

interface Index {
  /** Schemas by what they call themselves (`$id`, `#anchor`) and by their full address. */
  named: Map<string, unknown>;
  /** Whose part an object is; nothing for parts of the whole. */
  resources: Map<object, Resource>;
  /** What stands in a map of definitions, wherever that is, by its name. */
  definitions: Map<string, unknown>;
}

/** A pointer to a definition; the last are OpenAPI's. */
const DEFINITION = /\/(?:\$defs|definitions|schemas)\/([^/]+)$/;
const DEFINITION_MAPS: ReadonlySet<string> = new Set(['$defs', 'definitions', 'schemas']);

function indexOf(whole: Resource): Index {
  const index: Index = { named: new Map(), resources: new Map(), definitions: new Map() };
  // The first one wins: a second schema of the same name is the server's mistake.
  const add = (map: Map<string, unknown>, name: string, schema: unknown): void => {
    if (!map.has(name)) map.set(name, schema);
  };
  const visit = (value: unknown, around: Resource): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, around);
    if (!isObject(value)) return;
    const address = addressOf(value, around.address);
    const resource = address === around.address ? around : { root: value, address };
    if (resource !== whole) index.resources.set(value, resource);
    for (const [key, sign, base] of NAMING) {
      const name = own(value, key);
      if (typeof name !== 'string') continue;
      add(index.named, sign + name, value);
      add(index.named, absolute(sign + name, base === 'own' ? address : around.address), value);
    }
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (DEFINITION_MAPS.has(key) && isObject(inner)) {
        for (const name of Object.keys(inner)) add(index.definitions, name, inner[name]);
      }
      visit(inner, resource);
    }
  };
  visit(whole.root, whole);
  return index;
}

/** An anchor is a name within the schema that it stands in, which may have just given itself an address. */
const NAMING: readonly (readonly [keyword: string, sign: string, base: 'around' | 'own'])[] = [
  ['$id', '', 'around'],
  ['id', '', 'around'],
  ['$anchor', '#', 'own'],
  ['$dynamicAnchor', '#', 'own'],
];

/** Where a schema says that it is. A fragment alone is a name within the schema around it. */
function addressOf(schema: unknown, around: string): string {
  const id = isObject(schema) ? (own(schema, '$id') ?? own(schema, 'id')) : undefined;
  return typeof id === 'string' && !id.startsWith('#') ? absolute(id, around) : around;
}

function absolute(name: string, base: string): string {
  return (URL.parse(name, base)?.href ?? name).replace(/#$/, '');
}

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
