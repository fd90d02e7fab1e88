import type { CallOutput } from '@shared/contracts/contract.ts';
import type { BuiltinName, McpBuiltinContract } from '@shared/contracts/mcp-builtin.contract.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Card } from '../../../../ui/Card.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { Group } from '../../shared/Group.tsx';
import { FoldersDialog } from './FoldersDialog.tsx';

type Offers = CallOutput<McpBuiltinContract, 'offers'>;

/** The servers that come with the app, each to be added with a press. @param onAdded gets the new server's id */
export function BuiltinOffers({ onAdded }: { onAdded: (serverId: string) => void }) {
  const { t } = useTranslation(['servers', 'common']);
  const [offers, setOffers] = useState<Offers>([]);
  const [choosing, setChoosing] = useState(false);
  const load = useAction(async () => setOffers(await unwrap(api().mcpBuiltin.offers())));
  const add = useAction(async (builtin: BuiltinName) => {
    const { id } = await unwrap(api().mcpBuiltin.add({ builtin }));
    onAdded(id);
  });
  const { run } = load;
  useEffect(() => void run(), [run]);
  const error = add.error ?? load.error;

  return (
    <Group title={t('builtin.title')} text={t('builtin.lead')}>
      <Card>
        <ul className="divide-y divide-border" data-testid="builtin-offers">
          {offers.map(({ builtin, added }) => (
            <li key={builtin} className="flex items-center justify-between gap-4 px-4 py-2.5">
              <div className="min-w-0">
                <p className="font-medium text-sm">{t(`builtin.${builtin}.name`)}</p>
                <p className="text-muted text-sm">{t(`builtin.${builtin}.text`)}</p>
              </div>
              <Button
                size="sm"
                disabled={added}
                busy={add.busy}
                aria-label={added ? undefined : t('builtin.add', { name: t(`builtin.${builtin}.name`) })}
                onClick={() => (builtin === 'folders' ? setChoosing(true) : add.run(builtin))}
              >
                {added ? t('builtin.added') : builtin === 'folders' ? t('builtin.addFolders') : t('common:add')}
              </Button>
            </li>
          ))}
        </ul>
      </Card>
      {error && <ErrorNote error={error} />}
      {choosing && <FoldersDialog onSaved={onAdded} onClose={() => setChoosing(false)} />}
    </Group>
  );
}
