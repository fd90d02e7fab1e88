import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { linesToArgs } from './argument-lines.ts';
import { isBlank, type NameValue } from './name-values.ts';
import { hasVariable, type LimitName, limitsOf, type ServerDraft, secretsMoved, unitOf } from './server-draft.ts';

/** What is wrong with a field, as the name of a text. */
export type Problem =
  | 'nameMissing'
  | 'nameTooLong'
  | 'nameTaken'
  | 'commandMissing'
  | 'tooLong'
  | 'tooMany'
  | 'nulCharacter'
  | 'urlMissing'
  | 'urlInvalid'
  | 'urlCredentials'
  | 'rowNameMissing'
  | 'rowNameTaken'
  | 'variableName'
  | 'headerName'
  | 'headerValue'
  | 'enterAgain'
  | 'limit';

/** By field: `name`, `command`, `args`, `cwd`, `url`, `env.3`, `headers.0` (id of the row), `limits.idleMs`. */
export type Problems = Readonly<Record<string, Problem>>;

/** In milliseconds and bytes, as main takes them. Without a default there is no such limit. */
export const LIMIT_RANGES: Record<LimitName, { min: number; max: number; default?: number }> = {
  startMs: { min: 100, max: 600_000, default: 60_000 },
  idleMs: { min: 100, max: 3_600_000, default: 120_000 },
  totalMs: { min: 100, max: 86_400_000, default: 600_000 },
  idleCloseMs: { min: 1000, max: 86_400_000 },
  maxFrameBytes: { min: 1_048_576, max: 536_870_912, default: 33_554_432 },
};

/** Names that differ only in case are the same name. */
const nameKey = (name: string): string => name.normalize('NFC').trim().toLowerCase();

/**
 * Everything that main would refuse, found before it is asked.
 * @param server the stored server that is edited
 * @param otherNames names of all the other servers
 */
export function validateDraft(
  draft: ServerDraft,
  server: McpServerView | undefined,
  otherNames: readonly string[],
): Problems {
  const problems: Record<string, Problem> = {};
  const check = (field: string, problem: Problem | false | undefined) => {
    if (problem) problems[field] ??= problem;
  };
  const name = draft.name.trim();
  check('name', name === '' && 'nameMissing');
  check('name', name.length > 128 && 'nameTooLong');
  check('name', otherNames.some((other) => nameKey(other) === nameKey(name)) && 'nameTaken');

  const moved = server !== undefined && secretsMoved(draft, server);
  if (draft.type === 'stdio') {
    const args = linesToArgs(draft.args);
    check('command', draft.command.trim() === '' && 'commandMissing');
    check('command', textProblem(draft.command, 4096));
    check('args', args.length > 1000 && 'tooMany');
    check('args', args.map((arg) => textProblem(arg, 65_536)).find(Boolean));
    check('cwd', textProblem(draft.cwd, 4096));
    checkRows('env', draft.env, moved, check);
  } else {
    check('url', urlProblem(draft.url.trim()));
    checkRows('headers', draft.headers, moved, check);
  }
  for (const limit of limitsOf(draft.type)) check(`limits.${limit}`, limitProblem(limit, draft.limits[limit]));
  return problems;
}

function textProblem(text: string, max: number): Problem | undefined {
  if (text.includes('\0')) return 'nulCharacter';
  return text.length > max ? 'tooLong' : undefined;
}

export function urlProblem(text: string): Problem | undefined {
  if (text === '') return 'urlMissing';
  if (text.length > 8192) return 'tooLong';
  const url = URL.parse(text);
  if (!url && hasVariable(text)) return undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return 'urlInvalid';
  return url.username || url.password ? 'urlCredentials' : undefined;
}

function checkRows(
  kind: 'env' | 'headers',
  rows: readonly NameValue[],
  moved: boolean,
  check: (field: string, problem: Problem | false | undefined) => void,
): void {
  const seen = new Set<string>();
  for (const row of rows) {
    if (isBlank(row)) continue;
    const field = `${kind}.${row.id}`;
    const name = row.name.trim();
    // Header names are the same in any case; names of variables are not, but on Windows.
    const key = kind === 'headers' ? name.toLowerCase() : name;
    check(field, name === '' && 'rowNameMissing');
    check(field, seen.has(key) && 'rowNameTaken');
    check(field, (name.length > 1024 || row.value.length > 65_536) && 'tooLong');
    check(field, kind === 'env' ? variableProblem(name, row.value) : headerProblem(name, row.value));
    check(field, row.stored && moved && 'enterAgain');
    seen.add(key);
  }
}

function variableProblem(name: string, value: string): Problem | undefined {
  if (/[=\0]/.test(name) || name === '__proto__') return 'variableName';
  return value.includes('\0') ? 'nulCharacter' : undefined;
}

function headerProblem(name: string, value: string): Problem | undefined {
  // A name that is missing has been said already.
  if (name !== '' && (!/^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/.test(name) || name === '__proto__')) return 'headerName';
  return /[^\t\x20-\x7e\x80-\xff]/.test(value) ? 'headerValue' : undefined;
}

function limitProblem(limit: LimitName, text: string): Problem | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text) * unitOf(limit).size;
  const { min, max } = LIMIT_RANGES[limit];
  return value >= min && value <= max ? undefined : 'limit';
}
