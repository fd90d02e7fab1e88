import type { CallProgress } from '@shared/contracts/mcp-types.ts';
import type { DiffDisplay, ToolDisplay } from '@shared/contracts/message-types.ts';

export type JsonSchema = Record<string, unknown>;

/** What a call is run with. All of it may be missing: a tool must work without. */
export interface ToolContext {
  /** Aborts when the run is stopped: the tool ends what it has begun and rejects. */
  signal?: AbortSignal;
  onProgress?: (progress: CallProgress) => void;
  /** Shows something beside the result, in place of what was shown before. */
  onDisplay?: (display: ToolDisplay) => void;
  /** Id of the call within the conversation. */
  callId?: string;
  /**
   * What the pool and the view call it, as they look up what a server asks in between: JSON of conversation id and call id.
   * Default: an id of its own, and what is asked isn't shown beside the call.
   */
  poolCallId?: string;
}

/** What a call would touch, as the firewall must know it before the call runs. Paths as the model wrote them. */
export interface ToolAccess {
  reads?: string[];
  writes?: string[];
  /** A command line for the system's shell. */
  command?: string;
  url?: string;
  /** Arguments of a tool that isn't ours: what looks like a path in them is treated as read and written. */
  foreignArguments?: Record<string, unknown>;
}

/** A tool of the engine. */
export interface ITool {
  /** What the model calls it. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Whose it is: undefined for a built-in tool, the server's id and name and the tool's own name for one of a server. */
  readonly origin?: { serverId: string; serverName: string; toolName: string };
  /** `safe`: runs without asking. `edit`: changes files of the workspace. Anything else asks. Default `asks`. */
  readonly risk?: 'safe' | 'edit' | 'asks';
  /** What a call with these arguments would touch. Default: nothing that the firewall knows. Doesn't throw. */
  access?(params: Record<string, unknown>): ToolAccess;
  /** What a call with these arguments would change, for the person who is asked; `diff` is whole. Default: nobody knows. */
  preview?(params: Record<string, unknown>): Promise<DiffDisplay | undefined>;
  /** The result as the model reads it. What begins with `Error` is a failure, and so is a throw. */
  execute(params: Record<string, unknown>, context?: ToolContext): Promise<string>;
}
