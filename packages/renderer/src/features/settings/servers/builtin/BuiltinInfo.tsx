import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { VisibleText } from '../../../../ui/VisibleText.tsx';
import { FoldersDialog } from './FoldersDialog.tsx';

/** What a server that comes with the app does, and with which folders. */
export function BuiltinInfo({ server }: { server: McpServerView }) {
  const { t } = useTranslation('servers');
  const [editing, setEditing] = useState(false);
  const { builtin, builtinOptions } = server;
  if (builtin === 'folders' && builtinOptions?.folders) {
    return (
      <div className="flex flex-col items-start gap-2 text-sm">
        <p className="text-muted">{t('builtin.folders.page')}</p>
        <ul aria-label={t('builtin.folders.chosen')} className="w-full rounded-lg bg-code px-4 py-2">
          {builtinOptions.folders.map((folder) => (
            <li key={folder} className="font-mono [overflow-wrap:anywhere] [white-space:break-spaces]">
              <VisibleText text={folder} />
            </li>
          ))}
        </ul>
        <Button size="sm" icon={Pencil} onClick={() => setEditing(true)}>
          {t('builtin.folders.change')}
        </Button>
        {editing && (
          <FoldersDialog server={server} onSaved={() => setEditing(false)} onClose={() => setEditing(false)} />
        )}
      </div>
    );
  }
  return <p className="text-muted text-sm">{t(builtin === 'memory' ? 'builtin.memory.page' : 'page.builtin')}</p>;
}
