import type { CallInput } from '@shared/contracts/contract.ts';
import type { McpContract } from '@shared/contracts/mcp.contract.ts';
import type { McpProtocol, McpServerLimits, McpServerTransport, McpServerView } from '@shared/contracts/mcp-types.ts';
import { argsToLines, linesToArgs } from './argument-lines.ts';
import { type NameValue, storedRows, toRecord } from './name-values.ts';

export const LIMITS = ['startMs', 'idleMs', 'totalMs', 'idleCloseMs', 'maxFrameBytes'] as const;
export type LimitName = (typeof LIMITS)[number];

/** How a limit is typed in: seconds where main takes milliseconds, MiB where it takes bytes. */
export const unitOf = (name: LimitName): { name: 'seconds' | 'mebibytes'; size: number } =>
  name === 'maxFrameBytes' ? { name: 'mebibytes', size: 1_048_576 } : { name: 'seconds', size: 1000 };

/** Only a program can be closed and started again. */
export const limitsOf = (type: McpServerTransport): LimitName[] =>
  LIMITS.filter((name) => type === 'stdio' || name !== 'idleCloseMs');

/** SSE is of the older protocol only, so there is nothing to choose. */
export const hasProtocolChoice = (type: McpServerTransport): boolean => type !== 'sse';

/** A server as it stands in the form: text as it was typed. Limits are in the units of {@link unitOf}, empty for the default. */
export interface ServerDraft {
  name: string;
  type: McpServerTransport;
  command: string;
  /** One argument per line; see linesToArgs. */
  args: string;
  cwd: string;
  env: NameValue[];
  url: string;
  headers: NameValue[];
  limits: Record<LimitName, string>;
  protocol: McpProtocol;
}

export const emptyDraft = (): ServerDraft => ({
  name: '',
  type: 'stdio',
  command: '',
  args: '',
  cwd: '',
  env: [],
  url: '',
  headers: [],
  limits: { startMs: '', idleMs: '', totalMs: '', idleCloseMs: '', maxFrameBytes: '' },
  protocol: 'auto',
});

export function draftOf({ name, type, config, limits, protocol = 'auto' }: McpServerView): ServerDraft {
  const typed = (limit: LimitName) => {
    const value = limits?.[limit];
    return value === undefined ? '' : String(value / unitOf(limit).size);
  };
  return {
    name,
    type,
    command: config.command ?? '',
    args: argsToLines(config.args ?? []),
    cwd: config.cwd ?? '',
    env: storedRows(config.envNames),
    url: config.url ?? '',
    headers: storedRows(config.headerNames),
    limits: {
      startMs: typed('startMs'),
      idleMs: typed('idleMs'),
      totalMs: typed('totalMs'),
      idleCloseMs: typed('idleCloseMs'),
      maxFrameBytes: typed('maxFrameBytes'),
    },
    protocol,
  };
}

type UpdateInput = Omit<CallInput<McpContract, 'update'>, 'serverId'>;
type AddInput = CallInput<McpContract, 'add'>;

/** The draft as main takes it for an edit or a test. Fields of another transport are left out. */
export function toInput(draft: ServerDraft): UpdateInput {
  const { type } = draft;
  const config =
    type === 'stdio'
      ? {
          command: draft.command.trim(),
          args: linesToArgs(draft.args),
          cwd: draft.cwd.trim() || undefined,
          env: toRecord(draft.env),
        }
      : { url: draft.url.trim(), headers: toRecord(draft.headers) };
  const protocol = hasProtocolChoice(type) && draft.protocol !== 'auto' ? draft.protocol : undefined;
  return { name: draft.name.trim(), type, config, limits: toLimits(draft), protocol };
}

/** The same for a new server, which has no stored value to keep. */
export const toAddInput = (draft: ServerDraft): AddInput => toInput(draft) as AddInput;

function toLimits({ type, limits }: ServerDraft): McpServerLimits | undefined {
  const given = limitsOf(type).filter((name) => limits[name].trim() !== '');
  if (given.length === 0) return undefined;
  return Object.fromEntries(given.map((name) => [name, Math.round(Number(limits[name]) * unitOf(name).size)]));
}

/** Whether a text holds a placeholder, `${env:NAME}`, so that only main knows what it really is. */
export const hasVariable = (text: string): boolean => /\$\{env:[^}]*\}/.test(text);

/** What stored secrets belong to, as main sees it: the command, or the origin. Undefined while there is neither. */
function bindingOf(type: McpServerTransport, command: string | undefined, url: string | undefined): string | undefined {
  if (type === 'stdio') return command ? `command ${command.trim()}` : undefined;
  const text = url?.trim() ?? '';
  const parsed = URL.parse(text);
  if (parsed) return `origin ${parsed.origin}`;
  return hasVariable(text) ? `address ${text}` : undefined;
}

/** Whether the stored values of `server` can't be kept any more, since the draft would give them to something else. */
export function secretsMoved(draft: ServerDraft, server: McpServerView): boolean {
  const { command, url } = server.config;
  const now = bindingOf(draft.type, draft.command, draft.url);
  return now !== undefined && now !== bindingOf(server.type, command, url);
}
