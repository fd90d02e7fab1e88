import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import type { McpServerRecord } from '@shared/contracts/mcp-types.ts';
import { nameKey } from '../server-config.ts';
import { hasInput } from './placeholders.ts';

export interface Comparison {
  status: 'new' | 'same' | 'changed';
  existing?: { id: string; name: string };
  /** `type`, `command`, `args`, `cwd`, `url`, `env:NAME`, `header:NAME`. */
  changes: string[];
}

/**
 * How a found server stands to those that are here. One of the same name counts, and the very same under another name.
 * Servers that come with the app count for nothing: they can't be replaced.
 */
export function compareServer(draft: McpServerDraft, here: readonly McpServerRecord[]): Comparison {
  const own = here.filter(({ builtin }) => builtin === undefined);
  const byName = own.find(({ name }) => nameKey(name) === nameKey(draft.name));
  const changes = byName ? changesBetween(byName, draft) : [];
  const twin = byName && changes.length === 0 ? byName : own.find((each) => changesBetween(each, draft).length === 0);
  if (twin) return { status: 'same', existing: refTo(twin), changes: [] };
  return byName ? { status: 'changed', existing: refTo(byName), changes } : { status: 'new', changes: [] };
}

const refTo = ({ id, name }: McpServerRecord) => ({ id, name });

function changesBetween(here: McpServerRecord, draft: McpServerDraft): string[] {
  const a = here.config;
  const b = draft.config;
  if (here.type !== draft.type) return ['type'];
  const differs = (from: unknown, to: unknown) => JSON.stringify(from ?? '') !== JSON.stringify(to ?? '');
  if (draft.type !== 'stdio') {
    return [...(differs(a.url, b.url) ? ['url'] : []), ...valueChanges('header', a.headers, b.headers)];
  }
  return [
    ...(differs(a.command, b.command) ? ['command'] : []),
    ...(differs(a.args ?? [], b.args ?? []) ? ['args'] : []),
    ...(differs(a.cwd, b.cwd) ? ['cwd'] : []),
    ...valueChanges('env', a.env, b.env),
  ];
}

type Values = Readonly<Record<string, string>>;

/** A value that is left open can't be compared: what a person entered for it counts as the same. */
function valueChanges(kind: 'env' | 'header', here: Values = {}, found: Values = {}): string[] {
  const names = new Set([...Object.keys(here), ...Object.keys(found)]);
  return [...names]
    .filter((name) => !(Object.hasOwn(here, name) && Object.hasOwn(found, name)) || isOther(here[name], found[name]))
    .map((name) => `${kind}:${name}`);
}

const isOther = (here = '', found = '') => here !== found && !hasInput(found);
