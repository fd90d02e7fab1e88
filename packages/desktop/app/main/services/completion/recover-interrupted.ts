import type { ErrorInfo } from '@shared/contracts/contract.ts';
import type { ConversationStore } from '../ports/conversations.ts';
import type { Clock, Logger } from '../ports/infrastructure.ts';
import { closeOpenCalls } from '../turn/run-turn.ts';
import { INTERRUPTED_CODE } from '../turn/tool-messages.ts';

const INTERRUPTED: ErrorInfo = {
  code: INTERRUPTED_CODE,
  message: 'The app ended before this call was finished.',
  hint: 'It may have had an effect. Check before you repeat it.',
};

/** Closes the messages that a crash left open, before anything runs. A store that refuses is logged. */
export function recoverInterrupted({
  store,
  clock,
  logger,
}: {
  store: ConversationStore;
  clock: Clock;
  logger: Logger;
}): void {
  try {
    const rows = store.unfinishedMessages();
    for (const row of rows) {
      closeOpenCalls(row, clock.now(), INTERRUPTED);
      row.parts.push({ type: 'notice', notice: 'interrupted' });
      row.status = 'interrupted';
      store.putMessage(row);
    }
    if (rows.length > 0) logger.info('Closed messages that were interrupted', { count: rows.length });
  } catch (error) {
    logger.error('Messages that were interrupted could not be closed', { error: String(error) });
  }
}
