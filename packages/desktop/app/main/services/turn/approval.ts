import type { ApprovalDecision } from '@shared/contracts/completion.contract.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { z } from 'zod';
import type { DocumentStore, Logger } from '../ports/infrastructure.ts';
import type { ApprovalPort } from '../ports/tools.ts';
import { digest } from './digest.ts';

export interface ApprovalsOptions {
  /** Keeps what is always allowed. */
  store: DocumentStore;
  /**
   * What a server is: its command, arguments and folder, or its URL, as one text. Another text is another server, and what
   * was always allowed asks again. undefined for a server that isn't there (any more).
   */
  serverIdentity: (serverId: string) => string | undefined;
  logger: Logger;
}

/** A call that waits for the person. */
export interface PendingApproval {
  conversationId: string;
  callId: string;
  tool: MCPTool;
  args: Record<string, unknown>;
}

/** A tool that runs without asking. */
export interface AlwaysAllowed {
  serverId: string;
  serverName: string;
  toolName: string;
}

interface Waiting extends PendingApproval {
  resolve: (decision: ApprovalDecision) => void;
}

const documentSchema = z.object({
  version: z.literal(1),
  allowed: z.array(
    z.object({ serverId: z.string(), serverName: z.string(), toolName: z.string(), fingerprint: z.string() }),
  ),
});
type Entry = z.infer<typeof documentSchema>['allowed'][number];

/**
 * Asks the person before a tool runs, and remembers what they said: for one conversation until the app ends, or always. Both
 * are kept by server id and tool name (never by the name on the wire) and bound to a fingerprint of the tool's definition and
 * of its server: when either changes, the person is asked again. A question has no time limit.
 */
export class Approvals implements ApprovalPort {
  readonly #store: DocumentStore;
  readonly #serverIdentity: (serverId: string) => string | undefined;
  readonly #logger: Logger;
  /** By pair of server and tool. */
  readonly #always: Map<string, Entry>;
  /** By conversation, then by pair: the fingerprint that was allowed. */
  readonly #forChat = new Map<string, Map<string, string>>();
  readonly #waiting = new Map<string, Waiting>();

  constructor({ store, serverIdentity, logger }: ApprovalsOptions) {
    this.#store = store;
    this.#serverIdentity = serverIdentity;
    this.#logger = logger;
    this.#always = new Map(this.#load().map((entry) => [pairKey(entry.serverId, entry.toolName), entry]));
  }

  async decide(request: PendingApproval, signal: AbortSignal, onAsk: () => void): Promise<ApprovalDecision> {
    signal.throwIfAborted();
    const remembered = this.#remembered(request);
    if (remembered) return remembered;

    const key = callKey(request.conversationId, request.callId);
    const answer = new Promise<ApprovalDecision>((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(key);
        reject(signal.reason);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(key, {
        ...request,
        resolve: (decision) => {
          signal.removeEventListener('abort', onAbort);
          this.#waiting.delete(key);
          resolve(decision);
        },
      });
    });
    onAsk();
    return answer;
  }

  /**
   * The person's answer. False when that call doesn't wait (any more). An answer that covers other waiting calls of the same
   * tool answers those too. Throws AppError `store-failed` when it can't be kept for ever; the call goes on waiting then.
   */
  answer(conversationId: string, callId: string, decision: ApprovalDecision): boolean {
    const waiting = this.#waiting.get(callKey(conversationId, callId));
    if (!waiting) return false;
    if (decision === 'allow-always') this.#allowAlways(waiting.tool);
    if (decision === 'allow-for-chat') this.#allowForChat(conversationId, waiting.tool);
    waiting.resolve(decision);
    if (decision === 'allow-for-chat' || decision === 'allow-always') {
      for (const other of [...this.#waiting.values()]) {
        const covered = this.#remembered(other);
        if (covered) other.resolve(covered);
      }
    }
    return true;
  }

  /** Calls that wait for the person, oldest first; of one conversation or of all. */
  pending(conversationId?: string): PendingApproval[] {
    return [...this.#waiting.values()]
      .filter((waiting) => conversationId === undefined || waiting.conversationId === conversationId)
      .map(({ resolve: _resolve, ...request }) => request);
  }

  listAlwaysAllowed(): AlwaysAllowed[] {
    return [...this.#always.values()].map(({ serverId, serverName, toolName }) => ({ serverId, serverName, toolName }));
  }

  /**
   * Takes back what is always allowed, in running conversations too. Nothing happens when it isn't. Throws AppError
   * `store-failed` when that can't be kept; it asks again until the app ends all the same.
   */
  revoke(serverId: string, toolName: string): void {
    const pair = pairKey(serverId, toolName);
    for (const allowed of this.#forChat.values()) allowed.delete(pair);
    if (this.#always.delete(pair)) this.#save([...this.#always.values()]);
  }

  #remembered({ conversationId, tool }: PendingApproval): ApprovalDecision | undefined {
    const pair = pairKey(tool.serverId, tool.name);
    const always = this.#always.get(pair);
    const forChat = this.#forChat.get(conversationId)?.get(pair);
    if (always === undefined && forChat === undefined) return undefined;
    const fingerprint = this.#fingerprint(tool);
    if (always?.fingerprint === fingerprint) return 'allow-always';
    return forChat === fingerprint ? 'allow-for-chat' : undefined;
  }

  #allowAlways(tool: MCPTool): void {
    const entry: Entry = {
      serverId: tool.serverId,
      serverName: tool.serverName,
      toolName: tool.name,
      fingerprint: this.#fingerprint(tool),
    };
    const allowed = new Map(this.#always).set(pairKey(tool.serverId, tool.name), entry);
    this.#save([...allowed.values()]);
    this.#always.set(pairKey(tool.serverId, tool.name), entry);
  }

  #allowForChat(conversationId: string, tool: MCPTool): void {
    const allowed = this.#forChat.get(conversationId) ?? new Map<string, string>();
    this.#forChat.set(conversationId, allowed.set(pairKey(tool.serverId, tool.name), this.#fingerprint(tool)));
  }

  /** Everything that the person may have gone by. The server's display name and the wire name don't matter. */
  #fingerprint({ serverId, name, title, description, inputSchema, annotations }: MCPTool): string {
    return digest({
      server: this.#serverIdentity(serverId) ?? null,
      tool: { name, title, description, inputSchema, annotations },
    });
  }

  #load(): Entry[] {
    const document = this.#store.read();
    if (document === undefined) return [];
    const parsed = documentSchema.safeParse(document);
    if (parsed.success) return parsed.data.allowed;
    this.#logger.warn('What is always allowed could not be read; every tool asks again', {
      reason: parsed.error.message,
    });
    return [];
  }

  #save(allowed: Entry[]): void {
    this.#store.write({ version: 1, allowed });
  }
}

const pairKey = (serverId: string, toolName: string) => JSON.stringify([serverId, toolName]);
const callKey = (conversationId: string, callId: string) => JSON.stringify([conversationId, callId]);
