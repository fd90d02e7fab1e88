import type { AppEvent } from '@shared/contracts/index.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Message } from '@shared/contracts/message-types.ts';
import { expect, vi } from 'vitest';
import { openStore, temporaryFolder } from '../../conversations/test-support.ts';
import type { ModelPort } from '../../ports/model.ts';
import type { McpPool } from '../../ports/tools.ts';
import { mcpTool, ScriptedModel, textResult } from '../../turn/__fixtures__/scripted.ts';
import { Approvals } from '../../turn/approval.ts';
import { CompletionService } from '../CompletionService.ts';
import { ChatEngine } from '../chat-engine.ts';

export const MODEL = { providerId: 'scripted', modelId: 'm' };
export const never = new Promise<never>(() => {});
const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };

/** A pool of one server. */
class FakePool implements McpPool {
  tools: MCPTool[] = [mcpTool('echo')];
  late: string[] = [];
  /** Names of tools that are switched off. */
  readonly off = new Set<string>();
  readonly waits: (number | undefined)[] = [];
  readonly callIds: string[] = [];
  listing: () => Promise<unknown> = async () => {};
  handler: (args: Record<string, unknown>, signal?: AbortSignal) => Promise<ReturnType<typeof textResult>> = async (
    args,
  ) => textResult(JSON.stringify(args));

  async listServerTools() {
    return this.tools;
  }
  async listAllActiveServerTools(options?: { waitMs?: number }) {
    this.waits.push(options?.waitMs);
    await this.listing();
    return this.tools;
  }
  offeredTool(serverId: string, name: string): MCPTool | 'off' | undefined {
    if (this.off.has(name)) return 'off';
    return this.tools.find((one) => one.serverId === serverId && one.name === name);
  }
  lateServers() {
    return this.late;
  }
  callTool(...[, , args, callId, options]: Parameters<McpPool['callTool']>) {
    this.callIds.push(callId);
    return this.handler(args, options?.signal);
  }
  cancelCall() {
    return false;
  }
}

/** A conversation over the real store, with a model that answers by script and what the service sends to windows. */
export class TestChat {
  readonly #folder = temporaryFolder();
  readonly store = openStore(`${this.#folder.folder}/chats.db`).store;
  readonly pool = new FakePool();
  readonly approvals = new Approvals({
    store: { read: () => undefined, write: () => {} },
    serverIdentity: () => 'command',
    logger,
  });
  readonly events: AppEvent[] = [];
  readonly conversationId = this.store.create({ model: null }).id;
  model!: ModelPort;
  service = this.create();

  create(more: Partial<ConstructorParameters<typeof CompletionService>[0]> = {}): CompletionService {
    const { store, pool, approvals, events } = this;
    const clock = { now: () => Date.now() };
    return new CompletionService({
      engineOf: () => new ChatEngine({ mcpService: pool, approvals, clock, logger }),
      store,
      approvals,
      openModel: () => this.model,
      events: { emit: (event) => events.push(structuredClone(event)) },
      clock,
      logger,
      ...more,
    });
  }

  script(scripts: ConstructorParameters<typeof ScriptedModel>[0]): ScriptedModel {
    const scripted = new ScriptedModel(scripts);
    this.model = scripted;
    return scripted;
  }

  chat(text: string, id = this.conversationId) {
    return this.service.chatInSession(id, { text, model: MODEL });
  }

  /** Waits for the end of the turn. */
  async ended(id = this.conversationId): Promise<void> {
    await vi.waitFor(() => expect(this.service.isRunning(id)).toBe(false), { timeout: 20_000 });
  }

  stored(id = this.conversationId): Message[] {
    return this.store.messages(id);
  }

  lastStored(): Message {
    return this.stored().at(-1)!;
  }

  of<Type extends AppEvent['type']>(type: Type) {
    return this.events.filter((event): event is Extract<AppEvent, { type: Type }> => event.type === type);
  }

  outcomes(): string[] {
    return this.of('completion.turnEnded').map(({ payload }) => payload.outcome);
  }

  async end(): Promise<void> {
    await this.service.shutdown();
    this.store.close();
    this.#folder[Symbol.dispose]();
    vi.useRealTimers();
  }
}
