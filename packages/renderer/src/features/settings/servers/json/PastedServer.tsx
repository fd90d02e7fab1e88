import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../../bridge/errors.ts';
import { Badge } from '../../../../ui/Badge.tsx';
import { Checkbox } from '../../../../ui/Checkbox.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { targetOfPasted } from '../target.ts';
import { WhatRuns } from '../WhatRuns.tsx';

/** A server that was found in pasted JSON, shown in full, to be ticked. */
export function PastedServer({
  draft,
  ticked,
  nameTaken,
  error,
  onTick,
}: {
  draft: McpServerDraft;
  ticked: boolean;
  nameTaken: boolean;
  error?: ApiError;
  onTick: (ticked: boolean) => void;
}) {
  const { t } = useTranslation('servers');
  return (
    <li className="flex flex-col gap-2 rounded-lg border border-border px-4 py-3">
      <Checkbox checked={ticked} onChange={onTick}>
        <span className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium [overflow-wrap:anywhere]">
            <VisibleText text={draft.name} />
          </span>
          <Badge>{t(`transport.${draft.type}`)}</Badge>
          {nameTaken && <Badge tone="warning">{t('json.nameTaken')}</Badge>}
        </span>
      </Checkbox>
      <div className="rounded-md bg-code px-3 py-2.5">
        <WhatRuns target={targetOfPasted(draft)} />
      </div>
      {error && <ErrorNote error={error} />}
    </li>
  );
}
