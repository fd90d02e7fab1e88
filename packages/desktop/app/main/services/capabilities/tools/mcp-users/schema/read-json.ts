import { isObject, type JsonObject, put } from './json.ts';
import { DEFINITION_LIMITS } from './provider-limits.ts';

/** Stands for what was not read; a schema there allows everything. */
const UNREAD = undefined;

/**
 * A plain JSON copy of whatever a server (or the code between) handed over: own enumerable data only, no cycles, bounded in
 * depth and size. Never throws and never touches the input. `cut` says whether something had to be left out; `size` is about
 * the number of characters.
 */
export function readJson(input: unknown): { value: unknown; cut: boolean; size: number } {
  const ancestors: object[] = [];
  let left: number = DEFINITION_LIMITS.rawValues;
  let cut = false;
  let size = 0;

  const read = (value: unknown, depth: number): unknown => {
    switch (typeof value) {
      case 'string':
        size += value.length;
        left--;
        // Half of a surrogate pair is no JSON text for some providers.
        return value.toWellFormed();
      case 'boolean':
        left--;
        return value;
      case 'number':
        left--;
        return Number.isFinite(value) ? value : UNREAD;
      case 'object':
        break;
      default:
        return UNREAD;
    }
    if (value === null) return null;
    if (depth > DEFINITION_LIMITS.rawDepth || --left < 0 || ancestors.includes(value)) {
      cut = true;
      return UNREAD;
    }
    ancestors.push(value);
    const copy = Array.isArray(value) ? readArray(value, depth) : readObject(value as JsonObject, depth);
    ancestors.pop();
    return copy;
  };

  const readArray = (value: unknown[], depth: number): unknown[] => {
    const copy: unknown[] = [];
    for (let i = 0; i < value.length && left > 0; i++) copy.push(read(value[i], depth + 1) ?? null);
    if (copy.length < value.length) cut = true;
    return copy;
  };

  const readObject = (value: JsonObject, depth: number): JsonObject => {
    const copy: JsonObject = {};
    for (const key of Object.keys(value)) {
      if (left <= 0) {
        cut = true;
        break;
      }
      size += key.length + 4;
      let member: unknown;
      try {
        member = value[key];
      } catch {
        cut = true;
        continue;
      }
      const readMember = read(member, depth + 1);
      // A schema that could not be read is one that allows everything; a keyword without a value is no keyword.
      if (readMember !== UNREAD) put<unknown>(copy, key, readMember);
      else if (isObject(member)) put<unknown>(copy, key, {});
    }
    return copy;
  };

  try {
    const value = read(input, 0);
    return { value, cut, size };
  } catch {
    // A proxy that refuses to be looked at.
    return { value: UNREAD, cut: true, size };
  }
}
