import type { AppContract } from '@shared/contracts/app.contract.ts';
import type { CallOutput } from '@shared/contracts/contract.ts';
import { useEffect, useState } from 'react';
import { api } from '../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';

export type AppInfo = CallOutput<AppContract, 'info'>;

/** Version, folders and secret storage; null until main has answered. Asked for when `wanted`. */
export function useAppInfo(wanted = true): AppInfo | null {
  const [info, setInfo] = useState<AppInfo | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let gone = false;
    unwrap(api().app.info()).then(
      (answer) => !gone && setInfo(answer),
      (thrown) => toastError(toApiError(thrown)),
    );
    return () => {
      gone = true;
    };
  }, [wanted]);
  return info;
}
