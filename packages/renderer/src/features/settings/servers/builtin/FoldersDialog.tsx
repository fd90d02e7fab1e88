import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { FolderPlus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { IconButton } from '../../../../ui/IconButton.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { useAction } from '../../../../ui/useAction.ts';
import { VisibleText } from '../../../../ui/VisibleText.tsx';

/**
 * Which folders a server of files may see: exactly these are shown, and saving them is the consent.
 * @param server the one that is changed; without it a new one is added
 */
export function FoldersDialog({
  server,
  onSaved,
  onClose,
}: {
  server?: McpServerView;
  onSaved: (serverId: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation(['servers', 'common']);
  const [folders, setFolders] = useState<readonly string[]>(server?.builtinOptions?.folders ?? []);
  const [typedName, setTypedName] = useState<string | null>(server?.name ?? null);
  const name = typedName ?? nameOf(folders);
  const choose = useAction(async () => {
    const chosen = await unwrap(api().mcpBuiltin.chooseFolders());
    setFolders((old) => [...new Set([...old, ...chosen])]);
  });
  const save = useAction(async () => {
    const { mcpBuiltin } = api();
    const input = { name: name.trim(), options: { folders: [...folders] } };
    const saved = server
      ? mcpBuiltin.edit({ ...input, serverId: server.id })
      : mcpBuiltin.add({ ...input, builtin: 'folders' });
    onSaved((await unwrap(saved)).id);
  });
  const error = save.error ?? choose.error;

  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      testId="folders-dialog"
      title={t('builtin.folders.title')}
      description={t('builtin.folders.rights')}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button
            variant="primary"
            disabled={folders.length === 0 || name.trim() === ''}
            busy={save.busy}
            onClick={() => save.run()}
          >
            {t(server ? 'common:save' : 'common:add')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-col items-start gap-2">
          {folders.length > 0 && (
            <ul aria-label={t('builtin.folders.chosen')} className="w-full rounded-lg bg-code py-1">
              {folders.map((folder) => (
                <li key={folder} className="flex items-center justify-between gap-2 py-0.5 pr-1 pl-4">
                  <code className="min-w-0 font-mono text-sm [overflow-wrap:anywhere] [white-space:break-spaces]">
                    <VisibleText text={folder} />
                  </code>
                  <IconButton
                    icon={X}
                    label={t('builtin.folders.leaveOut', { folder })}
                    onClick={() => setFolders(folders.filter((other) => other !== folder))}
                  />
                </li>
              ))}
            </ul>
          )}
          <Button icon={FolderPlus} busy={choose.busy} onClick={() => choose.run()}>
            {t(folders.length === 0 ? 'builtin.folders.choose' : 'builtin.folders.more')}
          </Button>
        </div>
        {(server || folders.length > 0) && (
          <Field label={t('form.name')}>
            {(control) => (
              <Input
                {...control}
                dir="auto"
                maxLength={128}
                value={name}
                onChange={(event) => setTypedName(event.target.value)}
              />
            )}
          </Field>
        )}
        {error && <ErrorNote error={error} />}
      </div>
    </Dialog>
  );
}

/** Named after the first folder, as one knows it; without spaces, since models call its tools by this name too. */
const nameOf = ([first]: readonly string[]): string =>
  (first?.split(/[\\/]/).findLast((part) => part !== '') ?? '').trim().replaceAll(/\s+/g, '-').slice(0, 128);
