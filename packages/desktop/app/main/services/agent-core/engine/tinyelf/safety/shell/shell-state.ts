/** As many folders, or values of one variable, as are followed. */
const MAX_WAYS = 8;

/** What a shell may be like before a command: one of these folders, and these values of variables. */
export interface ShellState {
  /** Absolute; undefined when it can be any. */
  folders: readonly string[] | undefined;
  /** Where it was before the last `cd`. */
  before: readonly string[] | undefined;
  /** Those whose values are known. */
  variables: ReadonlyMap<string, readonly string[]>;
}

/** A shell after a command, by whether that succeeded. */
export interface Outcome {
  ok: ShellState;
  failed: ShellState;
}

export const both = (state: ShellState): Outcome => ({ ok: state, failed: state });

/** Whatever holds in one of the two may hold. */
export function merge(one: ShellState, other: ShellState): ShellState {
  if (one === other) return one;
  const variables = new Map<string, readonly string[]>();
  for (const [name, values] of one.variables) {
    const all = union(values, other.variables.get(name));
    if (all) variables.set(name, all);
  }
  return { folders: union(one.folders, other.folders), before: union(one.before, other.before), variables };
}

export function union(one: readonly string[] | undefined, other: readonly string[] | undefined) {
  if (one === undefined || other === undefined) return undefined;
  const all = [...new Set([...one, ...other])];
  return all.length > MAX_WAYS ? undefined : all;
}

export function withVariable(state: ShellState, name: string, values: readonly string[] | undefined): ShellState {
  const variables = new Map(state.variables);
  if (values === undefined) variables.delete(name);
  else variables.set(name, values);
  return { ...state, variables };
}
