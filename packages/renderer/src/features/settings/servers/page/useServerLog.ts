import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';
import { useEffect, useState } from 'react';
import { api } from '../../../../bridge/api.ts';
import { type ApiError, toApiError, unwrap } from '../../../../bridge/errors.ts';
import { followServerLog } from '../../../../stores/server-log.ts';

const KEPT = 1000;

export interface NumberedEntry extends McpLogEntry {
  /** Counts up within the view. */
  number: number;
}

/** The last entries of a server's log, oldest first, followed as it grows. Null until main has answered. */
export function useServerLog(serverId: string): { entries: NumberedEntry[] | null; error: ApiError | null } {
  const [entries, setEntries] = useState<NumberedEntry[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);

  useEffect(() => {
    let gone = false;
    let loaded = false;
    let frame = 0;
    let number = 0;
    let waiting: McpLogEntry[] = [];
    const numbered = (entry: McpLogEntry): NumberedEntry => ({ ...entry, number: number++ });
    const flush = () => {
      frame = 0;
      const fresh = waiting.map(numbered);
      waiting = [];
      setEntries((old) => [...(old ?? []), ...fresh].slice(-KEPT));
    };
    // Followed before it is read, so that nothing falls between; a server that writes a lot is shown once a frame.
    const end = followServerLog(serverId, (entry) => {
      waiting.push(entry);
      if (loaded && frame === 0) frame = requestAnimationFrame(flush);
    });
    unwrap(api().mcp.log({ serverId })).then(
      (stored) => {
        if (gone) return;
        loaded = true;
        waiting = [...stored, ...unseen(waiting, stored)];
        flush();
      },
      (thrown) => !gone && setError(toApiError(thrown)),
    );
    return () => {
      gone = true;
      cancelAnimationFrame(frame);
      end();
    };
  }, [serverId]);

  return { entries, error };
}

/** What came in while the stored entries were on their way and isn't among them. */
function unseen(waiting: McpLogEntry[], stored: McpLogEntry[]): McpLogEntry[] {
  const key = ({ at, source, text }: McpLogEntry) => `${at} ${source} ${text}`;
  const known = new Set(stored.map(key));
  return waiting.filter((entry) => !known.has(key(entry)));
}
