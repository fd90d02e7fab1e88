import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { useTranslation } from 'react-i18next';
import { VisibleText } from '../../../../ui/VisibleText.tsx';

/** What a server that comes with the app does, and with which folders. */
export function BuiltinInfo({ server: { builtin, builtinOptions } }: { server: McpServerView }) {
  const { t } = useTranslation('servers');
  if (builtin === 'folders' && builtinOptions?.folders) {
    return (
      <div className="text-sm">
        <p className="text-muted">{t('builtin.folders.page')}</p>
        <ul aria-label={t('builtin.folders.chosen')} className="mt-2 rounded-lg bg-code px-4 py-2">
          {builtinOptions.folders.map((folder) => (
            <li key={folder} className="font-mono [overflow-wrap:anywhere] [white-space:break-spaces]">
              <VisibleText text={folder} />
            </li>
          ))}
        </ul>
      </div>
    );
  }
  return <p className="text-muted text-sm">{t(builtin === 'memory' ? 'builtin.memory.page' : 'page.builtin')}</p>;
}
