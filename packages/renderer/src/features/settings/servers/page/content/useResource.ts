import type { AttachmentPart } from '@shared/contracts/mcp-content-types.ts';
import { useEffect, useState } from 'react';
import { api } from '../../../../../bridge/api.ts';
import { type ApiError, toApiError, unwrap } from '../../../../../bridge/errors.ts';
import { updateKey, useContent } from '../../../../../stores/content.ts';

/** The content of a resource, read again when its server tells that it changed. One at a time is followed. */
export function useResource(serverId: string, uri: string) {
  const updates = useContent((state) => state.updates[updateKey(serverId, uri)] ?? 0);
  const [parts, setParts] = useState<AttachmentPart[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [following, setFollowing] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an update is a reason to read it again
  useEffect(() => {
    let gone = false;
    unwrap(api().mcpContent.read({ serverId, uri })).then(
      (read) => {
        if (gone) return;
        setParts(read);
        setError(null);
      },
      (thrown) => !gone && setError(toApiError(thrown)),
    );
    return () => {
      gone = true;
    };
  }, [serverId, uri, updates]);

  useEffect(() => {
    let gone = false;
    unwrap(api().mcpContent.watch({ serverId, uri })).then(
      (watched) => !gone && setFollowing(watched.following),
      () => !gone && setFollowing(false),
    );
    return () => {
      gone = true;
      void api().mcpContent.unwatch();
    };
  }, [serverId, uri]);

  return { parts, error, following };
}
