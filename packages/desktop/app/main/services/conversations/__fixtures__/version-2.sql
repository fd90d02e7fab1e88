-- A database as version 2 of the schema left it: two conversations, the later used one created first, and a removed one.
PRAGMA application_id = 1413827654;
PRAGMA user_version = 2;
CREATE TABLE conversations (
  id TEXT PRIMARY KEY NOT NULL,
  title TEXT NOT NULL,
  model TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  used INTEGER NOT NULL DEFAULT 0,
  removed_at INTEGER
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
CREATE INDEX conversations_by_use ON conversations (used);
CREATE INDEX messages_unfinished ON messages (place) WHERE status = 'streaming';
INSERT INTO conversations VALUES
  ('c-old', 'Bread', NULL, 1000, 9000, 2, NULL),
  ('c-new', '天気', '{"providerId":"demo","modelId":"demo"}', 2000, 5000, 1, NULL),
  ('c-gone', 'Gone', NULL, 3000, 3000, 3, 3500);
INSERT INTO messages (conversation_id, id, parent_id, role, status, model, usage, created_at, parts) VALUES
  ('c-old', 'm1', NULL, 'user', 'complete', NULL, NULL, 1000, '[{"type":"text","text":"How much flour?"}]'),
  ('c-old', 'm2', 'm1', 'assistant', 'complete', '{"providerId":"demo","modelId":"demo"}',
   '{"inputTokens":3,"outputTokens":5}', 1001, '[{"type":"text","text":"500 g"}]'),
  ('c-new', 'm1', NULL, 'user', 'complete', NULL, NULL, 2000, '[{"type":"text","text":"晴れ?"}]');
