import { z } from 'zod';
import { errorInfoSchema } from './contract.ts';

export const mcpServerTransportSchema = z.enum(['stdio', 'http', 'sse']);
export type McpServerTransport = z.infer<typeof mcpServerTransportSchema>;

/**
 * Which protocol is spoken with a server. `auto` asks whether it knows the newer revision; `legacy` never asks, `2026-07-28`
 * takes nothing else. SSE is of the older protocol only.
 */
export const mcpProtocolSchema = z.enum(['auto', 'legacy', '2026-07-28']);
export type McpProtocol = z.infer<typeof mcpProtocolSchema>;

const text = (max: number) => z.string().max(max);

/** How a server is reached. `stdio` needs `command`; `http` and `sse` need `url`. */
export const mcpServerConfigSchema = z.strictObject({
  command: text(4096).optional(),
  args: z.array(text(65_536)).max(1000).optional(),
  /** Working directory; the folder of the user's home when absent. */
  cwd: text(4096).optional(),
  env: z.record(text(1024), text(65_536)).optional(),
  url: text(8192).optional(),
  headers: z.record(text(1024), text(65_536)).optional(),
  transport: mcpServerTransportSchema.optional(),
});
export type McpServerConfig = z.infer<typeof mcpServerConfigSchema>;

/** Limits of one server; times in milliseconds. */
export const mcpServerLimitsSchema = z.strictObject({
  /** First answer after a start. Default 60,000. */
  startMs: z.number().int().min(100).max(600_000).optional(),
  /** Silence within a call; progress resets it. Default 120,000. */
  idleMs: z.number().int().min(100).max(3_600_000).optional(),
  /** A whole call, whatever happens. Default 600,000. */
  totalMs: z.number().int().min(100).max(86_400_000).optional(),
  /** A stdio server that nobody used for this long is closed, and starts again on demand. Default: never. */
  idleCloseMs: z.number().int().min(1000).max(86_400_000).optional(),
  /** Largest message that it may send, in bytes. Default 32 MiB. */
  maxFrameBytes: z.number().int().min(1_048_576).max(536_870_912).optional(),
});
export type McpServerLimits = z.infer<typeof mcpServerLimitsSchema>;

/** Unique regardless of case; see McpService for the check. */
export const mcpServerNameSchema = z.string().trim().min(1).max(128);

/** A server as stored and used in main. Values of `env` and `headers` are plain here, encrypted at rest. */
export interface McpServerRecord {
  id: string;
  name: string;
  type: McpServerTransport;
  config: McpServerConfig;
  enabled: boolean;
  limits?: McpServerLimits;
  /** Default: `auto`. */
  protocol?: McpProtocol;
  /** Name of a server that comes with the app; its command is resolved at the start and can't be edited. */
  builtin?: string;
  builtinOptions?: BuiltinOptions;
}

/** What a person chose for a server that comes with the app. */
export const builtinOptionsSchema = z.strictObject({
  /** For `folders`: absolute paths of what it may read and write. */
  folders: z.array(z.string().min(1).max(4096)).min(1).max(50).optional(),
});
export type BuiltinOptions = z.infer<typeof builtinOptionsSchema>;

/** A server as the renderer sees it: the names of secrets, never their values. */
export const mcpServerViewSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  type: mcpServerTransportSchema,
  enabled: z.boolean(),
  builtin: z.string().optional(),
  builtinOptions: builtinOptionsSchema.optional(),
  limits: mcpServerLimitsSchema.optional(),
  protocol: mcpProtocolSchema.optional(),
  config: z.strictObject({
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
    envNames: z.array(z.string()),
    headerNames: z.array(z.string()),
  }),
  /** A stdio server starts only with a consent for exactly this command, arguments, folder and names of variables. */
  consented: z.boolean(),
});
export type McpServerView = z.infer<typeof mcpServerViewSchema>;

export const mcpServerStateSchema = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('off') }),
  z.strictObject({
    status: z.literal('connecting'),
    since: z.number(),
    /** It may be downloading itself; the last line that it wrote, empty when there is none. */
    note: z.string().optional(),
  }),
  z.strictObject({
    status: z.literal('ready'),
    toolCount: z.number(),
    /** Closed because nobody used it; it starts again with the next call. */
    asleep: z.boolean().optional(),
    serverVersion: z.string().optional(),
    protocolVersion: z.string().optional(),
  }),
  z.strictObject({ status: z.literal('waiting-to-retry'), retryAt: z.number(), error: errorInfoSchema }),
  z.strictObject({ status: z.literal('needs-sign-in'), error: errorInfoSchema }),
  z.strictObject({ status: z.literal('failed'), error: errorInfoSchema }),
]);
export type McpServerState = z.infer<typeof mcpServerStateSchema>;

const mcpToolAnnotationsSchema = z.object({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});
export type McpToolAnnotations = z.infer<typeof mcpToolAnnotationsSchema>;

/** One tool of one server. `id` is its wire name: what a model calls it (design: a pure function of both names). */
export const mcpToolSchema = z.object({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  /** The server's own name for it; what `tools/call` is sent. */
  name: z.string(),
  title: z.string().optional(),
  /** Ends in `(readOnly)` or `(destructive)` where the server said so explicitly. */
  description: z.string(),
  /** JSON Schema as the server sent it. */
  inputSchema: z.record(z.string(), z.unknown()),
  /** JSON Schema of its structured results, where the server gave one. */
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  annotations: mcpToolAnnotationsSchema.optional(),
});
export type MCPTool = z.infer<typeof mcpToolSchema>;

/** A definition that can't be used, kept so that the user sees why. */
export const rejectedToolSchema = z.strictObject({ name: z.string(), reason: z.string() });
export type RejectedTool = z.infer<typeof rejectedToolSchema>;

/** One content block of a result. Kinds unknown to us are kept as they came. */
export type MCPToolResponseContent =
  | { type: 'text'; text: string }
  | { type: 'image'; data: string; mimeType: string }
  | { type: 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType?: string; text?: string; blob?: string } }
  | { type: 'resource_link'; uri: string; name?: string; mimeType?: string; description?: string }
  | { type: 'unknown'; originalType: string; value: unknown };

export interface MCPCallToolResponse {
  isError: boolean;
  content: MCPToolResponseContent[];
  structuredContent?: unknown;
  /** What is odd about it, in sentences for the person; models don't read them. */
  warnings?: string[];
  /** What is here is cut; the whole of it is kept in a file that the person can open. */
  whole?: WholeResult;
}

/** A result that was too large for a message. Without an id the disk refused to keep it. */
export interface WholeResult {
  id?: string;
  /** Length of its text. */
  characters: number;
}

/** Progress of a running call, as the server reports it. */
export const callProgressSchema = z.strictObject({
  progress: z.number(),
  total: z.number().optional(),
  message: z.string().optional(),
});
export type CallProgress = z.infer<typeof callProgressSchema>;

/** A JSON-RPC message, apart from what it says. */
const mcpMessageFactsSchema = z.strictObject({
  direction: z.enum(['out', 'in']),
  kind: z.enum(['request', 'response', 'error', 'notification']),
  /** For an answer: the method of the request that it answers, where that was seen. */
  method: z.string().optional(),
  id: z.string().optional(),
  /** Size of its JSON. */
  bytes: z.number(),
  /** For an answer: time since its request, where that was seen. */
  ms: z.number().optional(),
});
export type McpMessageFacts = z.infer<typeof mcpMessageFactsSchema>;

export const mcpLogEntrySchema = z.strictObject({
  /** Counts up by one within the log of one server, from 1. */
  number: z.number(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** `message`: a JSON-RPC message; `protocol`: what the server logs by the protocol, and what is wrong with how it speaks. */
  source: z.enum(['stderr', 'stdout', 'protocol', 'message', 'lifecycle']),
  level: z.enum(['debug', 'info', 'warning', 'error']),
  /** Secrets hidden, cut. For a message its JSON. */
  text: z.string(),
  message: mcpMessageFactsSchema.optional(),
});
export type McpLogEntry = z.infer<typeof mcpLogEntrySchema>;
