import { randomUUID } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { AgentRun } from '@shared/contracts/agent-types.ts';
import type { Conversation, Message, ModelRef } from '@shared/contracts/message-types.ts';
import type { ConversationStore } from '../ports/conversations.ts';
import { AppError } from '../ports/errors.ts';
import type { Clock } from '../ports/infrastructure.ts';
import { type DatabaseFileOptions, type OpenDatabase, openDatabaseFile, requestCheck } from './database-file.ts';
import { type ConversationRow, type MessageRow, toConversation, toMessage, toMessageRow } from './rows.ts';
import { isDamage, storeFailed } from './sqlite-errors.ts';

export interface SqliteConversationStoreOptions extends DatabaseFileOptions {
  clock: Clock;
  /** Whether a file that was set aside in place of this one is still there. */
  wasSetAside(file: string): boolean;
  /**
   * Told of each conversation that is deleted for good, just before it is: what belongs to it elsewhere can go. May be told of
   * one twice. `resultIds`: whole results of its calls.
   */
  onPurge?: (purged: { conversationId: string; resultIds: string[] }) => void;
}

/**
 * Conversations in one SQLite file.
 *
 * What it stands: a commit is on the disk when the call returns, so nothing is lost by a crash, `kill -9` or power loss.
 * The exception are rows with the status `streaming`, which come several times a second: they are handed to the system
 * without waiting for the disk. A crash or `kill -9` loses none of them either; power loss takes the row back to an older
 * state, never the file's soundness, and the first row that is put with another status brings everything before it along.
 *
 * Where the disk refuses (full, read-only), what is stored can still be read and every write throws `store-failed`; each
 * write tries again first, so freeing space is enough.
 */
export class SqliteConversationStore implements ConversationStore {
  readonly #options: SqliteConversationStoreOptions;
  #open: OpenDatabase<Statements>;

  constructor(options: SqliteConversationStoreOptions) {
    this.#options = options;
    this.#open = openDatabaseFile(options, prepareStatements);
    if (!this.#open.readOnly) this.#purge();
  }

  list(): Conversation[] {
    return this.#read((s) => (s.list.all() as unknown as ConversationRow[]).map(toConversation));
  }

  create({ model, agent }: { model: ModelRef | null; agent?: AgentRun }): Conversation {
    const now = this.#options.clock.now();
    const id = randomUUID();
    const [modelJson, agentJson] = [model && JSON.stringify(model), agent ? JSON.stringify(agent) : null];
    return this.#write((s) => one(s.create.get(id, modelJson, agentJson, now, now), id));
  }

  get(conversationId: string): Conversation | undefined {
    return this.#read((s) => {
      const row = s.get.get(conversationId);
      return row && one(row, conversationId);
    });
  }

  rename(conversationId: string, title: string): Conversation {
    // SQLite ends a text at NUL in some functions, and stores no lone surrogate.
    const clean = title.replaceAll('\0', '').toWellFormed();
    return this.#write((s) => one(s.rename.get(clean, conversationId), conversationId));
  }

  setModel(conversationId: string, model: ModelRef): Conversation {
    return this.#write((s) => one(s.setModel.get(JSON.stringify(model), conversationId), conversationId));
  }

  setAgent(conversationId: string, agent: AgentRun): Conversation {
    return this.#write((s) => one(s.setAgent.get(JSON.stringify(agent), conversationId), conversationId));
  }

  remove(conversationId: string): void {
    this.#write((s) => one(s.remove.get(this.#options.clock.now(), conversationId), conversationId));
  }

  restore(conversationId: string): Conversation {
    return this.#write((s) => one(s.restore.get(conversationId), conversationId));
  }

  touch(conversationId: string): Conversation {
    return this.#write((s) => one(s.touch.get(this.#options.clock.now(), conversationId), conversationId));
  }

  messages(conversationId: string): Message[] {
    return this.#read((s) => (s.messages.all(conversationId) as unknown as MessageRow[]).map(toMessage));
  }

  putMessage(message: Message): void {
    const row = toMessageRow(message);
    this.#write((s) => s.putMessage.run({ ...row }), { waitForDisk: message.status !== 'streaming' });
  }

  unfinishedMessages(): Message[] {
    return this.#read((s) => (s.unfinished.all() as unknown as MessageRow[]).map(toMessage));
  }

  /**
   * The ids of all conversations, removed ones included. undefined when there may be others: the file can't be written at the
   * moment, or one was set aside, now or at an earlier start, and lies beside it still.
   */
  storedIds(): ReadonlySet<string> | undefined {
    if (this.#open.readOnly || this.#options.wasSetAside(this.#options.file)) return undefined;
    return this.#read((s) => new Set((s.ids.all() as { id: string }[]).map(({ id }) => id)));
  }

  /** Deletes for good what is removed and closes the file. Further calls throw. Safe to call twice. */
  close(): void {
    const { db, readOnly } = this.#open;
    if (!db.isOpen) return;
    if (!readOnly) this.#purge();
    db.close();
  }

  #purge(): void {
    const { removed, resultIds, purge } = this.#open.statements;
    try {
      for (const { id } of removed.all() as { id: string }[]) {
        const ids = (resultIds.all(id) as { id: string }[]).map((row) => row.id);
        this.#options.onPurge?.({ conversationId: id, resultIds: ids });
      }
      purge.run();
    } catch (error) {
      // They stay hidden, and the next start tries again.
      this.#options.logger.warn('Removed conversations could not be deleted yet', { error });
      if (isDamage(error)) this.#requestCheck();
    }
  }

  #read<Value>(work: (statements: Statements) => Value): Value {
    return this.#attempt(() => work(this.#open.statements));
  }

  #write<Value>(work: (statements: Statements) => Value, { waitForDisk = true } = {}): Value {
    return this.#attempt(() => {
      if (this.#open.readOnly) this.#reopen();
      if (waitForDisk) return work(this.#open.statements);
      this.#open.db.exec('PRAGMA synchronous = NORMAL');
      try {
        return work(this.#open.statements);
      } finally {
        this.#open.db.exec('PRAGMA synchronous = FULL');
      }
    });
  }

  #reopen(): void {
    const next = openDatabaseFile(this.#options, prepareStatements);
    this.#open.db.close();
    this.#open = next;
  }

  #attempt<Value>(work: () => Value): Value {
    try {
      return work();
    } catch (error) {
      if (error instanceof AppError) throw error;
      const { file, logger } = this.#options;
      logger.error('The store of conversations failed', { file, error });
      if (isDamage(error)) this.#requestCheck();
      throw storeFailed(file, error);
    }
  }

  #requestCheck(): void {
    try {
      requestCheck(this.#options.file);
    } catch (error) {
      this.#options.logger.warn('The check at the next start could not be asked for', { error });
    }
  }
}

function one(row: unknown, conversationId: string): Conversation {
  if (row) return toConversation(row as ConversationRow);
  throw new AppError('not-found', 'There is no such conversation.', {
    hint: 'It may have been deleted. Choose another one.',
    details: conversationId,
  });
}

type Statements = Record<keyof typeof SQL, StatementSync>;

const CONVERSATION = 'id, title, model, agent, created_at, updated_at';
const MESSAGE = 'conversation_id, id, parent_id, role, status, model, usage, created_at, parts';
/** The clock may be set back; the order of use must not. */
const NEWEST = '(SELECT coalesce(max(used), 0) + 1 FROM conversations)';

const SQL = {
  list: `SELECT ${CONVERSATION} FROM conversations WHERE removed_at IS NULL ORDER BY used DESC`,
  get: `SELECT ${CONVERSATION} FROM conversations WHERE id = ? AND removed_at IS NULL`,
  create: `INSERT INTO conversations (id, title, model, agent, created_at, updated_at, used)
    VALUES (?, '', ?, ?, ?, ?, ${NEWEST}) RETURNING ${CONVERSATION}`,
  rename: `UPDATE conversations SET title = ? WHERE id = ? AND removed_at IS NULL RETURNING ${CONVERSATION}`,
  setModel: `UPDATE conversations SET model = ? WHERE id = ? AND removed_at IS NULL RETURNING ${CONVERSATION}`,
  setAgent: `UPDATE conversations SET agent = ? WHERE id = ? AND removed_at IS NULL RETURNING ${CONVERSATION}`,
  touch: `UPDATE conversations SET updated_at = ?, used = ${NEWEST}
    WHERE id = ? AND removed_at IS NULL RETURNING ${CONVERSATION}`,
  remove: `UPDATE conversations SET removed_at = ? WHERE id = ? AND removed_at IS NULL RETURNING ${CONVERSATION}`,
  restore: `UPDATE conversations SET removed_at = NULL WHERE id = ? RETURNING ${CONVERSATION}`,
  ids: 'SELECT id FROM conversations',
  removed: 'SELECT id FROM conversations WHERE removed_at IS NOT NULL',
  resultIds: `SELECT DISTINCT part.value ->> '$.result.whole.id' AS id
    FROM messages, json_each(iif(json_valid(parts), parts, '[]')) AS part
    WHERE conversation_id = ? AND part.type = 'object' AND part.value ->> '$.result.whole.id' IS NOT NULL`,
  purge: 'DELETE FROM conversations WHERE removed_at IS NOT NULL',
  messages: `SELECT ${MESSAGE} FROM messages WHERE conversation_id = ? ORDER BY place`,
  unfinished: `SELECT ${MESSAGE} FROM messages WHERE status = 'streaming' ORDER BY place`,
  // The SELECT makes it do nothing where the conversation is gone.
  putMessage: `INSERT INTO messages (${MESSAGE})
    SELECT :conversation_id, :id, :parent_id, :role, :status, :model, :usage, :created_at, :parts
    WHERE EXISTS (SELECT 1 FROM conversations WHERE id = :conversation_id)
    ON CONFLICT (conversation_id, id) DO UPDATE SET
      parent_id = excluded.parent_id, role = excluded.role, status = excluded.status, model = excluded.model,
      usage = excluded.usage, created_at = excluded.created_at, parts = excluded.parts`,
} as const;

function prepareStatements(db: DatabaseSync): Statements {
  return Object.fromEntries(Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)])) as Statements;
}
