import type { ApprovalDecision } from '@shared/contracts/completion.contract.ts';
import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { ToolPolicy } from '@shared/contracts/mcp-tools.contract.ts';
import type { CallProgress, MCPCallToolResponse, MCPTool } from '@shared/contracts/mcp-types.ts';
import type { ToolDecision, ToolDisplay } from '@shared/contracts/message-types.ts';
import type { ProviderTools, ToolFormat } from './tool-formats.ts';

/** The pool as its users see it; McpService implements it. */
export interface McpPool {
  /** Tools of one server; connects it when needed. Throws AppError when it can't be reached or is off. */
  listServerTools(serverId: string, options?: { signal?: AbortSignal }): Promise<MCPTool[]>;
  /**
   * Tools of every enabled server that is ready. Waits at most `waitMs` (default 5,000) for those still connecting; a server
   * that is late or broken is left out, and named in {@link lateServers}.
   */
  listAllActiveServerTools(options?: { waitMs?: number; signal?: AbortSignal }): Promise<MCPTool[]>;
  /**
   * What a tool is at this moment: `off` when the person has switched it off, undefined when its server isn't there or ready or
   * doesn't list it. Starts and asks no server.
   */
  offeredTool(serverId: string, toolName: string): MCPTool | 'off' | undefined;
  /** Names of enabled servers that are still connecting. */
  lateServers(): string[];
  /**
   * Calls a tool. A tool's own failure is a result with `isError`; AppError means that there was no result: `connect-failed`,
   * `call-timeout`, `call-lost`, `cancelled`.
   * @param options.onWaiting the pool's own clocks stop (true) and go on (false), since a person has to do something first:
   *   answer what the server asks, or sign in. False comes last, however the call ends.
   */
  callTool(
    serverId: string,
    toolName: string,
    args: Record<string, unknown>,
    callId: string,
    options?: {
      signal?: AbortSignal;
      onProgress?: (progress: CallProgress) => void;
      onWaiting?: (isWaiting: boolean) => void;
    },
  ): Promise<MCPCallToolResponse>;
  /** Cancels a running call and tells the server; false when there is no such call. */
  cancelCall(callId: string): boolean;
}

export interface FailedServer {
  name: string;
  error: ErrorInfo;
}

/** The tools of one model request. */
export interface ToolSet {
  /** undefined when there are none. */
  tools: ProviderTools | undefined;
  /** Looks a wire name up; undefined for one that the model made up. */
  find(wireName: string): MCPTool | undefined;
  /** Turns the model's arguments into the server's own: renamed keys and changed values are put back. */
  restore(tool: MCPTool, args: Record<string, unknown>): Record<string, unknown>;
  /** What a tool is called on the wire now; undefined when it isn't in this set. Old history is re-mapped through it. */
  wireName(serverId: string, toolName: string): string | undefined;
  /** Names of the servers whose tools these are. */
  serverNames: string[];
  /** Names of enabled servers that were still connecting, so that their tools are missing here. */
  lateServers: string[];
  /** Tools that were left out because an earlier one has their name, each in words for the person. Default: none. */
  collisions?: string[];
  /** Servers of the turn's own that could not be started, with the reason: their tools are missing. Default: none. */
  failedServers?: FailedServer[];
}

/** Where a turn gets tools and runs them. */
export interface ToolPort {
  /** Assembled anew for every request of a turn. */
  prepare(format: ToolFormat, signal: AbortSignal): Promise<ToolSet>;
  call(
    tool: MCPTool,
    args: Record<string, unknown>,
    callId: string,
    options: {
      signal: AbortSignal;
      onProgress: (progress: CallProgress) => void;
      /** Shows something beside the result, in place of what was shown before. */
      onDisplay?: (display: ToolDisplay) => void;
    },
  ): Promise<MCPCallToolResponse>;
  /** What a call would change, shown to the person who is asked about it. Default: nothing is known. */
  preview?(tool: MCPTool, args: Record<string, unknown>): Promise<ToolDisplay | undefined>;
  /** The text and pictures that the model gets to read. */
  resultForModel(response: MCPCallToolResponse): { text: string; images: { data: string; mimeType: string }[] };
}

/** Someone other than the person has refused a call. The model reads the message. */
export interface Refusal {
  refused: ErrorInfo;
}

/** Asks the person, unless an earlier answer covers this tool. Waits as long as it takes; rejects when `signal` aborts. */
export interface ApprovalPort {
  decide(
    request: { conversationId: string; callId: string; tool: MCPTool; args: Record<string, unknown> },
    signal: AbortSignal,
    /** Called when the person has to be asked, before waiting. */
    onAsk: () => void,
    /** Called for each layer that has decided, in order, before it counts. */
    onDecision?: (decision: ToolDecision) => void,
  ): Promise<ApprovalDecision | 'deny-always' | Refusal>;
}

/** What a person decided about tools for good. Kept by server id and tool name; `allow` only for the definition it was given for. */
export interface ToolPolicies {
  policyOf(tool: MCPTool): { policy: ToolPolicy; allowedBefore: boolean };
  /** Answers calls that wait for the person, where it covers them. Throws AppError `store-failed`. */
  setPolicy(tool: MCPTool, policy: ToolPolicy): void;
  /** Every tool of the server asks again. Throws AppError `store-failed`. */
  resetServer(serverId: string): void;
}
