import { useEffect, useState } from 'react';
import { api } from '../../../../bridge/api.ts';
import { type ApiError, toApiError, unwrap } from '../../../../bridge/errors.ts';
import { useAction } from '../../../../ui/useAction.ts';
import { cleared, EMPTY_LOG, held, type LogState, received } from './log-state.ts';

/** The log of a server, followed as it grows. Main hands it out in batches, as quickly as they are asked for. */
export function useServerLog(serverId: string) {
  const [log, setLog] = useState<LogState>(EMPTY_LOG);
  const [isRecording, setIsRecording] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);

  useEffect(() => {
    let gone = false;
    const follow = async () => {
      let after: number | undefined;
      while (!gone) {
        const answer = await unwrap(api().mcpLog.read({ serverId, after }));
        if (gone) return;
        // What the person just switched is newer than an answer that was under way.
        if (after === undefined) setIsRecording(answer.recording);
        after = answer.latest;
        setLog((state) => received(state, answer.entries, answer.latest));
      }
    };
    follow().catch((thrown) => !gone && setError(toApiError(thrown)));
    return () => {
      gone = true;
    };
  }, [serverId]);

  const clear = useAction(async () => {
    await unwrap(api().mcpLog.clear({ serverId }));
    setLog(cleared);
  });
  const record = useAction(async (recording: boolean) => {
    await unwrap(api().mcpLog.setRecording({ serverId, recording }));
    setIsRecording(recording);
  });

  return {
    log,
    /** Makes the view stand still, or go on. */
    hold: (isHeld: boolean) => setLog((state) => held(state, isHeld)),
    clear,
    isRecording,
    record,
    error: error ?? clear.error ?? record.error,
  };
}
