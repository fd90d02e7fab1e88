import { FolderOpen, History } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Input } from '../../../ui/Input.tsx';
import { Menu } from '../../../ui/Menu.tsx';
import { useAction } from '../../../ui/useAction.ts';
import { visibleString } from '../../../ui/visible-text.ts';

/** Which folder a run works in: by the system's dialog, one of those used before, or typed. */
export function WorkspaceField({
  value,
  onChange,
  onRecent,
  error,
}: {
  value: string;
  onChange: (workspace: string) => void;
  /** Told once which folders were used before, last used first. */
  onRecent: (workspaces: readonly string[]) => void;
  error?: string;
}) {
  const { t } = useTranslation('agent');
  const [recent, setRecent] = useState<readonly string[]>([]);
  const choose = useAction(async () => {
    const chosen = await unwrap(api().agent.chooseWorkspace()).catch(toastError);
    if (typeof chosen === 'string') onChange(chosen);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the form appears
  useEffect(() => {
    unwrap(api().agent.recentWorkspaces()).then(
      (workspaces) => {
        setRecent(workspaces);
        onRecent(workspaces);
      },
      (thrown) => toastError(toApiError(thrown)),
    );
  }, []);

  return (
    <Field label={t('start.workspace')} hint={t('start.workspaceHint')} error={error}>
      {(control) => (
        <div className="flex flex-wrap gap-2">
          <Input
            {...control}
            mono
            data-testid="workspace-input"
            value={value}
            title={visibleString(value)}
            placeholder={t('start.workspacePlaceholder')}
            onChange={(event) => onChange(event.target.value)}
            className="min-w-60 flex-1"
          />
          <Button icon={FolderOpen} data-testid="choose-workspace" busy={choose.busy} onClick={() => void choose.run()}>
            {t('start.choose')}
          </Button>
          {recent.length > 0 && (
            <Menu
              trigger={<Button icon={History}>{t('start.recent')}</Button>}
              items={recent.map((workspace) => ({
                label: visibleString(workspace),
                onSelect: () => onChange(workspace),
              }))}
            />
          )}
        </div>
      )}
    </Field>
  );
}
