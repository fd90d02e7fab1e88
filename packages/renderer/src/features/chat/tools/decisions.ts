import type { BuiltinServerId } from '@shared/contracts/builtin-server.ts';
import type { ToolDecision, ToolPart } from '@shared/contracts/message-types.ts';

type Refusal = ToolDecision & { layer: 'firewall' | 'guardian' | 'permission' };

/** The layer of safety that refused a call by itself; undefined where it ran, and where the person refused it. */
export function refusedBy({ state, decisions }: Pick<ToolPart, 'state' | 'decisions'>): Refusal | undefined {
  if (state !== 'denied' && state !== 'failed') return undefined;
  return decisions?.find((decision): decision is Refusal => decision.layer !== 'person' && decision.outcome === 'deny');
}

const BUILTIN_SERVER_ID: BuiltinServerId = 'tinyelf';

/** Whether a tool of the app itself was called, or one that there is not: no server is to be named then. */
export const isOwnTool = ({ serverId, serverName }: Pick<ToolPart, 'serverId' | 'serverName'>): boolean =>
  serverName === undefined || serverId === BUILTIN_SERVER_ID;

/** A reason as a person reads it: without the mark that tells the model which layer refused. */
export const reasonForPerson = (reason: string): string => reason.replace(/^\[\w+\] Blocked: /, '');

/** Longer ones say nothing on one line. In characters. */
const MAX_LENGTH = 300;

/** What of a built-in tool's arguments says best what it is about; undefined where none does. */
export function mainArgument(args: Record<string, unknown> | null): string | undefined {
  for (const name of ['path', 'file_path', 'command', 'pattern', 'url', 'name', 'title']) {
    const value = args?.[name];
    if (typeof value === 'string' && value !== '') return (value.split('\n', 1)[0] ?? '').slice(0, MAX_LENGTH);
  }
  return undefined;
}
