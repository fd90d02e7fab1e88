import type { DatabaseSync } from 'node:sqlite';

/** Marks a SQLite file as ours: "TELF" in ASCII. */
export const APPLICATION_ID = 0x54454c46;

/**
 * Step `n` (from 0) brings a database from version `n` to `n + 1`. A released step is never edited: a change of the schema
 * is a new step at the end.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE conversations (
    id TEXT PRIMARY KEY NOT NULL,
    title TEXT NOT NULL,
    model TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE messages (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    parent_id TEXT,
    role TEXT NOT NULL,
    status TEXT NOT NULL,
    model TEXT,
    usage TEXT,
    created_at INTEGER NOT NULL,
    parts TEXT NOT NULL,
    UNIQUE (conversation_id, id)
  ) STRICT;
  CREATE INDEX messages_in_order ON messages (conversation_id, place);
  `,
  // Order of use that doesn't depend on the clock, and removal that can be undone.
  `
  ALTER TABLE conversations ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE conversations ADD COLUMN removed_at INTEGER;
  UPDATE conversations SET used = (
    SELECT count(*) FROM conversations AS other
    WHERE (other.updated_at, other.id) <= (conversations.updated_at, conversations.id)
  );
  CREATE INDEX conversations_by_use ON conversations (used);
  CREATE INDEX messages_unfinished ON messages (place) WHERE status = 'streaming';
  `,
  // What makes a conversation a run of the agent, as JSON.
  'ALTER TABLE conversations ADD COLUMN agent TEXT;',
];

export const SCHEMA_VERSION = MIGRATIONS.length;

/** Version of the schema in the file; 0 for a new file. */
export function schemaVersion(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * Brings the database to the newest version, all steps or none. `steps` is for tests of older versions.
 */
export function migrate(db: DatabaseSync, steps: readonly string[] = MIGRATIONS): void {
  const from = schemaVersion(db);
  if (from >= steps.length) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of steps.slice(from)) db.exec(step);
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(`PRAGMA user_version = ${steps.length}`);
    db.exec('COMMIT');
  } catch (error) {
    // A full disk has rolled back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
