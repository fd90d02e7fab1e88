import type { ApprovalDecision } from '@shared/contracts/completion.contract.ts';
import type { ToolPolicy } from '@shared/contracts/mcp-tools.contract.ts';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import { z } from 'zod';
import type { DocumentStore, Logger } from '../ports/infrastructure.ts';
import type { ApprovalPort, ToolPolicies } from '../ports/tools.ts';
import { digest } from './digest.ts';
import { definitionOf } from './tool-definition.ts';

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
  /** The question is about this one call: no earlier yes covers it, and its answer covers no other call. Default false. */
  thisCallOnly?: boolean;
}

/** A tool that runs without asking. */
export interface AlwaysAllowed {
  serverId: string;
  serverName: string;
  toolName: string;
}

type Decision = Awaited<ReturnType<ApprovalPort['decide']>>;

interface Waiting extends PendingApproval {
  resolve: (decision: Decision) => void;
}

const documentSchema = z.object({
  version: z.literal(1),
  allowed: z.array(
    z.object({ serverId: z.string(), serverName: z.string(), toolName: z.string(), fingerprint: z.string() }),
  ),
  denied: z.array(z.object({ serverId: z.string(), toolName: z.string() })).default([]),
});
type Stored = z.infer<typeof documentSchema>;
type Entry = Stored['allowed'][number];
type Denied = Stored['denied'][number];

/**
 * Asks the person before a tool runs, and remembers what they said: for one conversation until the app ends, or always. Both
 * are kept by server id and tool name (never by the name on the wire) and bound to a fingerprint of the tool's definition and
 * of its server: when either changes, the person is asked again. A question has no time limit. A tool may also be denied for
 * good; that holds whatever becomes of its definition.
 */
export class Approvals implements ApprovalPort, ToolPolicies {
  readonly #store: DocumentStore;
  readonly #serverIdentity: (serverId: string) => string | undefined;
  readonly #logger: Logger;
  /** By pair of server and tool. */
  #always: ReadonlyMap<string, Entry>;
  /** By pair of server and tool. */
  #denied: ReadonlyMap<string, Denied>;
  /** By conversation, then by pair: the fingerprint that was allowed. */
  readonly #forChat = new Map<string, Map<string, string>>();
  readonly #waiting = new Map<string, Waiting>();

  constructor({ store, serverIdentity, logger }: ApprovalsOptions) {
    this.#store = store;
    this.#serverIdentity = serverIdentity;
    this.#logger = logger;
    const { allowed, denied } = this.#load();
    this.#always = new Map(allowed.map((entry) => [pairKey(entry.serverId, entry.toolName), entry]));
    this.#denied = new Map(denied.map((entry) => [pairKey(entry.serverId, entry.toolName), entry]));
  }

  async decide(request: PendingApproval, signal: AbortSignal, onAsk: () => void): Promise<Decision> {
    signal.throwIfAborted();
    const remembered = this.#remembered(request);
    if (remembered) return remembered;

    const key = callKey(request.conversationId, request.callId);
    const answer = new Promise<Decision>((resolve, reject) => {
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
    if (waiting.thisCallOnly && decision !== 'deny') {
      waiting.resolve('allow-once');
      return true;
    }
    if (decision === 'allow-always') this.setPolicy(waiting.tool, 'allow');
    if (decision === 'allow-for-chat') this.#allowForChat(conversationId, waiting.tool);
    waiting.resolve(decision);
    if (decision === 'allow-for-chat') this.#answerCovered();
    return true;
  }

  policyOf(tool: MCPTool): { policy: ToolPolicy; allowedBefore: boolean } {
    const pair = pairKey(tool.serverId, tool.name);
    if (this.#denied.has(pair)) return { policy: 'deny', allowedBefore: false };
    const allowed = this.#always.get(pair);
    if (allowed === undefined) return { policy: 'ask', allowedBefore: false };
    const holds = allowed.fingerprint === this.#fingerprint(tool);
    return { policy: holds ? 'allow' : 'ask', allowedBefore: !holds };
  }

  setPolicy(tool: MCPTool, policy: ToolPolicy): void {
    const { serverId, serverName, name: toolName } = tool;
    const pair = pairKey(serverId, toolName);
    const always = new Map(this.#always);
    const denied = new Map(this.#denied);
    always.delete(pair);
    denied.delete(pair);
    if (policy === 'allow') {
      always.set(pair, { serverId, serverName, toolName, fingerprint: this.#fingerprint(tool) });
    }
    if (policy === 'deny') denied.set(pair, { serverId, toolName });
    // A tool that may do less than before may do less at once, whether that can be kept or not.
    if (policy === 'allow') this.#save(always, denied);
    else this.#forgetForChats((other) => other === pair);
    this.#always = always;
    this.#denied = denied;
    if (policy !== 'allow') this.#save(always, denied);
    this.#answerCovered();
  }

  resetServer(serverId: string): void {
    const others = <T extends Denied>(entries: ReadonlyMap<string, T>) =>
      new Map([...entries].filter(([, entry]) => entry.serverId !== serverId));
    const always = others(this.#always);
    const denied = others(this.#denied);
    // Taking a denial away allows more, so it counts only when it is kept.
    this.#save(always, denied);
    this.#forgetForChats((pair) => serverOf(pair) === serverId);
    this.#always = always;
    this.#denied = denied;
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
    this.#forgetForChats((other) => other === pair);
    if (!this.#always.has(pair)) return;
    this.#always = new Map([...this.#always].filter(([other]) => other !== pair));
    this.#save(this.#always, this.#denied);
  }

  /** Answers the waiting calls that a new decision covers. */
  #answerCovered(): void {
    for (const waiting of [...this.#waiting.values()]) {
      const covered = this.#remembered(waiting);
      if (covered) waiting.resolve(covered);
    }
  }

  #remembered({ conversationId, tool, thisCallOnly }: PendingApproval): Decision | undefined {
    const pair = pairKey(tool.serverId, tool.name);
    if (this.#denied.has(pair)) return 'deny-always';
    if (thisCallOnly) return undefined;
    const always = this.#always.get(pair);
    const forChat = this.#forChat.get(conversationId)?.get(pair);
    if (always === undefined && forChat === undefined) return undefined;
    const fingerprint = this.#fingerprint(tool);
    if (always?.fingerprint === fingerprint) return 'allow-always';
    return forChat === fingerprint ? 'allow-for-chat' : undefined;
  }

  #allowForChat(conversationId: string, tool: MCPTool): void {
    const allowed = this.#forChat.get(conversationId) ?? new Map<string, string>();
    this.#forChat.set(conversationId, allowed.set(pairKey(tool.serverId, tool.name), this.#fingerprint(tool)));
  }

  #forgetForChats(matches: (pair: string) => boolean): void {
    for (const allowed of this.#forChat.values()) {
      for (const pair of [...allowed.keys()]) if (matches(pair)) allowed.delete(pair);
    }
  }

  #fingerprint(tool: MCPTool): string {
    return digest({ server: this.#serverIdentity(tool.serverId) ?? null, tool: definitionOf(tool) });
  }

  #load(): Pick<Stored, 'allowed' | 'denied'> {
    const document = this.#store.read();
    if (document === undefined) return { allowed: [], denied: [] };
    const parsed = documentSchema.safeParse(document);
    if (parsed.success) return parsed.data;
    this.#logger.warn('What is allowed and denied for good could not be read; every tool asks again', {
      reason: parsed.error.message,
    });
    return { allowed: [], denied: [] };
  }

  #save(allowed: ReadonlyMap<string, Entry>, denied: ReadonlyMap<string, Denied>): void {
    this.#store.write({ version: 1, allowed: [...allowed.values()], denied: [...denied.values()] });
  }
}

const pairKey = (serverId: string, toolName: string) => JSON.stringify([serverId, toolName]);
const serverOf = (pair: string): unknown => (JSON.parse(pair) as unknown[])[0];
const callKey = (conversationId: string, callId: string) => JSON.stringify([conversationId, callId]);
