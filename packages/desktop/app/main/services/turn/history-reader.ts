import type { Message } from '@shared/contracts/message-types.ts';
import type { ModelMessage, ModelOrigin } from '../ports/model.ts';
import type { ToolPort, ToolSet } from '../ports/tools.ts';
import { GrowingHistory } from './repair-history.ts';
import type { ConversationView } from './summary-view.ts';
import { messagesOfRow, type ToModelOptions } from './to-model-messages.ts';
import { estimateMessages } from './token-estimate.ts';

interface ReadRow {
  messages: ModelMessage[];
  /** Estimated when they are first asked for. */
  tokens?: number;
}

/**
 * Reads a conversation for the requests of one turn. Rows that are finished don't change, and most of a request is in the
 * one before: each row is read, mended and counted once, until what it depends on changes.
 */
export class HistoryReader {
  readonly #options: ToModelOptions;
  readonly #rows = new Map<Message, ReadRow>();
  /** What the tools in these messages are called in them: by id of the server, then by the tool's own name. */
  readonly #names = new Map<string, Map<string, string | undefined>>();
  readonly #history = new GrowingHistory();
  #opening: Extract<ModelMessage, { role: 'user' }> | undefined;
  #toolSet: Pick<ToolSet, 'wireName'> = { wireName: () => undefined };

  constructor(reader: ModelOrigin, tools: Pick<ToolPort, 'resultForModel'>) {
    this.#options = {
      reader,
      wireName: (serverId, toolName) => this.#nameOf(serverId, toolName),
      resultForModel: (response) => tools.resultForModel(response),
    };
  }

  /** To be called before a request is read: its tools, and the tokens that the model can take, where that is known. */
  prepare(toolSet: Pick<ToolSet, 'wireName'>, window: number | undefined): void {
    this.#toolSet = toolSet;
    if (!this.#isRenamed() && window === this.#options.window) return;
    this.#names.clear();
    this.#rows.clear();
    this.#options.window = window;
  }

  /** The history of a request, valid for every provider. */
  read({ opening, rows }: ConversationView): ModelMessage[] {
    const messages: ModelMessage[] = [];
    if (opening !== undefined) {
      // The same object while it says the same.
      if (this.#opening?.text !== opening) this.#opening = { role: 'user', text: opening };
      messages.push(this.#opening);
    }
    for (const row of rows) messages.push(...this.messagesOf(row));
    return this.#history.repair(messages);
  }

  /** What is read of one row, not mended. */
  messagesOf(row: Message): ModelMessage[] {
    return this.#readRow(row).messages;
  }

  /** Estimated tokens of one row. */
  tokensOf(row: Message): number {
    const read = this.#readRow(row);
    read.tokens ??= estimateMessages(read.messages);
    return read.tokens;
  }

  #readRow(row: Message): ReadRow {
    const known = this.#rows.get(row);
    if (known) return known;
    const read = { messages: messagesOfRow(row, this.#options) };
    if (row.status !== 'streaming') this.#rows.set(row, read);
    return read;
  }

  #nameOf(serverId: string, toolName: string): string | undefined {
    const ofServer = this.#names.get(serverId) ?? new Map<string, string | undefined>();
    if (ofServer.size === 0) this.#names.set(serverId, ofServer);
    if (!ofServer.has(toolName)) ofServer.set(toolName, this.#toolSet.wireName(serverId, toolName));
    return ofServer.get(toolName);
  }

  #isRenamed(): boolean {
    for (const [serverId, ofServer] of this.#names) {
      for (const [toolName, name] of ofServer) if (this.#toolSet.wireName(serverId, toolName) !== name) return true;
    }
    return false;
  }
}
