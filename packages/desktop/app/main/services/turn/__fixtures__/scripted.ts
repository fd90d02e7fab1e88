import type { MCPCallToolResponse, MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Message, MessagePart, ToolPart } from '@shared/contracts/message-types.ts';
import type { ModelPort, ModelRequest, StreamPart } from '../../ports/model.ts';
import type { ApprovalPort, ToolPort, ToolSet } from '../../ports/tools.ts';
import type { RetryWait } from '../retry.ts';
import type { TurnSink } from '../turn-sink.ts';
import { faultsOf } from './check-history.ts';

/** One response: its pieces, an error to throw among them, or a promise to wait for. */
export type Script = (StreamPart | Error | Promise<unknown>)[];

/** A model that answers by script and, like a real one, refuses a history that isn't valid. */
export class ScriptedModel implements ModelPort {
  readonly providerId = 'scripted';
  readonly toolFormat = 'openai';
  readonly requests: ModelRequest[] = [];
  readonly #script: (request: ModelRequest, index: number) => Script;

  /** A list gives one response each, and after its end plain answers; a function makes each response. */
  constructor(script: Script[] | ((request: ModelRequest, index: number) => Script)) {
    this.#script = Array.isArray(script) ? (_request, index) => script[index] ?? says('done') : script;
  }

  async *stream(request: ModelRequest): AsyncIterable<StreamPart> {
    const faults = faultsOf(request.messages);
    if (faults.length > 0) throw new Error(`400: ${faults.join('; ')}`);
    const index = this.requests.push({ ...request, messages: structuredClone(request.messages) }) - 1;
    for (const piece of this.#script(request, index)) {
      if (piece instanceof Error) throw piece;
      if (piece instanceof Promise) await piece;
      else yield piece;
    }
  }
}

export const says = (text: string, reason: 'stop' | 'length' | 'pause' | 'content-filter' = 'stop'): Script => [
  { type: 'text-delta', text },
  { type: 'text-end' },
  { type: 'usage', usage: { inputTokens: 10, outputTokens: 2 } },
  { type: 'finish', reason },
];

/** A response that calls tools: pairs of wire name and arguments (text as it is, anything else as JSON). */
export const callsTools = (...calls: [name: string, args?: unknown][]): Script => [
  ...calls.flatMap(([name, args = {}], index): StreamPart[] => {
    const argsText = typeof args === 'string' ? args : JSON.stringify(args);
    const callId = `call_${index}`;
    return [
      { type: 'tool-call-start', callId, name },
      { type: 'tool-call-delta', callId, argsText },
      { type: 'tool-call-end', callId, name, argsText },
    ];
  }),
  { type: 'usage', usage: { inputTokens: 10, outputTokens: 5 } },
  { type: 'finish', reason: 'tool-calls' },
];

export const mcpTool = (name: string, more: Partial<MCPTool> = {}): MCPTool => ({
  id: `mcp__srv__${name}`,
  serverId: 's1',
  serverName: 'srv',
  name,
  description: `Does ${name}`,
  inputSchema: { type: 'object' },
  ...more,
});

export const textResult = (text: string, isError = false): MCPCallToolResponse => ({
  isError,
  content: [{ type: 'text', text }],
});

export type ToolHandler = (
  args: Record<string, unknown>,
  options: Parameters<ToolPort['call']>[3],
) => Promise<MCPCallToolResponse> | MCPCallToolResponse;

/** Tools by their plain names, each on server `srv`. */
export class ScriptedTools implements ToolPort {
  readonly calls: { name: string; args: Record<string, unknown>; callId: string; signal: AbortSignal }[] = [];
  readonly handlers: Record<string, ToolHandler>;
  late: string[] = [];
  prepared = 0;
  preview?: ToolPort['preview'];

  constructor(handlers: Record<string, ToolHandler>) {
    this.handlers = handlers;
  }

  async prepare(): Promise<ToolSet> {
    this.prepared++;
    const tools = Object.keys(this.handlers).map((name) => mcpTool(name));
    return {
      tools: undefined,
      find: (wireName) => tools.find(({ id }) => id === wireName),
      restore: (_tool, args) => args,
      wireName: (serverId, toolName) => tools.find((t) => t.serverId === serverId && t.name === toolName)?.id,
      serverNames: ['srv'],
      lateServers: this.late,
    };
  }

  async call(tool: MCPTool, args: Record<string, unknown>, callId: string, options: Parameters<ToolPort['call']>[3]) {
    this.calls.push({ name: tool.name, args, callId, signal: options.signal });
    return this.handlers[tool.name]!(args, options);
  }

  resultForModel(response: MCPCallToolResponse) {
    const text = response.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
    return { text, images: [] };
  }
}

export const allowAll: ApprovalPort = { decide: async () => 'allow-once' };

/** Keeps what a turn reports, and what its rows looked like whenever they should have been stored. */
export class RecordingSink implements TurnSink {
  readonly log: string[] = [];
  readonly stored = new Map<string, Message>();
  readonly waits: (RetryWait | null)[] = [];

  rowChanged(row: Message) {
    this.log.push(`row ${row.status}`);
    this.stored.set(row.id, structuredClone(row));
  }
  delta(row: Message, partIndex: number, text: string) {
    this.log.push(`${row.parts[partIndex]!.type} ${text}`);
  }
  toolPart(row: Message, partIndex: number) {
    const part = row.parts[partIndex] as ToolPart;
    this.log.push(`${part.wireName} ${part.state}`);
  }
  checkpoint(row: Message) {
    this.stored.set(row.id, structuredClone(row));
  }
  retryWait(wait: RetryWait | null) {
    this.waits.push(wait);
  }
  summarising(active: boolean) {
    this.log.push(active ? 'summarising' : 'summarised');
  }
}

export const toolParts = (row: Message | undefined): ToolPart[] =>
  (row?.parts ?? []).filter((part): part is ToolPart => part.type === 'tool');

export const partsOf = <Type extends MessagePart['type']>(row: Message | undefined, type: Type) =>
  (row?.parts ?? []).filter((part): part is Extract<MessagePart, { type: Type }> => part.type === type);

let count = 0;
export const userRow = (text: string, more: Partial<Message> = {}): Message => ({
  id: `u${++count}`,
  conversationId: 'c',
  parentId: null,
  role: 'user',
  parts: [{ type: 'text', text }],
  status: 'complete',
  createdAt: 0,
  ...more,
});

export const assistantRow = (parts: MessagePart[] = [], more: Partial<Message> = {}): Message => ({
  id: `a${++count}`,
  conversationId: 'c',
  parentId: null,
  role: 'assistant',
  parts,
  status: 'streaming',
  model: { providerId: 'scripted', modelId: 'm' },
  createdAt: 0,
  ...more,
});
