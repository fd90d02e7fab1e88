import type { Message } from '@shared/contracts/message-types.ts';
import { setFileAside, wasSetAside } from '../../platform/storage/set-aside.ts';
import type { SetAsideReason } from './database-file.ts';
import { SqliteConversationStore, type SqliteConversationStoreOptions } from './SqliteConversationStore.ts';

export { temporaryFolder } from '../../platform/storage/test-disks.ts';

export interface SetAsideReport {
  file: string;
  movedTo: string;
  reason: SetAsideReason;
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

export function openStore(
  file: string,
  { now = () => Date.now(), onPurge }: { now?: () => number } & Pick<SqliteConversationStoreOptions, 'onPurge'> = {},
) {
  const reports: SetAsideReport[] = [];
  const store = new SqliteConversationStore({
    file,
    clock: { now },
    logger: silent,
    setAside: (path, reason, companions) => setFileAside(path, reason, Date.UTC(2026, 10, 29, 12, 30, 5), companions),
    wasSetAside,
    onSetAside: (report) => reports.push(report),
    onPurge,
  });
  return { store, reports };
}

export function textMessage(conversationId: string, id: string, more: Partial<Message> = {}): Message {
  return {
    id,
    conversationId,
    parentId: null,
    role: 'user',
    parts: [{ type: 'text', text: `text of ${id}` }],
    status: 'complete',
    createdAt: 1,
    ...more,
  };
}
