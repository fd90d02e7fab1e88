import { FolderOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../bridge/api.ts';
import { toApiError, unwrap } from '../../../bridge/errors.ts';
import { toastError } from '../../../stores/toasts.ts';
import { AppIcon } from '../../../ui/AppIcon.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Group } from '../shared/Group.tsx';
import { SectionPage } from '../shared/SectionPage.tsx';
import { useAppInfo } from '../shared/useAppInfo.ts';
import { SecretStorage } from './SecretStorage.tsx';

const FOLDERS = ['data', 'logs', 'sample'] as const;

const open = (folder: (typeof FOLDERS)[number]) =>
  unwrap(api().app.openFolder({ folder })).catch((thrown) => toastError(toApiError(thrown)));

/** The app itself: its version, where it keeps things, and how it keeps secrets. */
export function About() {
  const { t } = useTranslation(['settings', 'common']);
  const info = useAppInfo();
  return (
    <SectionPage title={t('sections.about')}>
      {info === null ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <div className="flex flex-col gap-8">
          <div className="flex items-center gap-4">
            <AppIcon size={48} />
            <div>
              <p className="font-semibold text-lg">{t('common:appName')}</p>
              <p className="text-muted text-sm">{t('about.tagline')}</p>
              <p className="tabular text-muted text-sm">{t('about.version', { version: info.version })}</p>
            </div>
          </div>
          <Group title={t('about.folders')}>
            <Card className="divide-y divide-border">
              {FOLDERS.map((folder) => (
                <div key={folder} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
                  <div className="min-w-60 flex-1">
                    <p className="font-medium">{t(`about.${folder}`)}</p>
                    <p className="text-muted">{t(`about.${folder}Hint`)}</p>
                    <p className="font-mono text-xs [overflow-wrap:anywhere]">{info[`${folder}Path`]}</p>
                  </div>
                  <div className="flex items-center gap-1">
                    <CopyButton
                      text={() => info[`${folder}Path`]}
                      label={t('about.copyPath', { folder: t(`about.${folder}`) })}
                    />
                    <Button
                      size="sm"
                      icon={FolderOpen}
                      aria-label={t('about.openLabel', { folder: t(`about.${folder}`) })}
                      onClick={() => open(folder)}
                    >
                      {t('about.open')}
                    </Button>
                  </div>
                </div>
              ))}
            </Card>
          </Group>
          <SecretStorage strength={info.secretStorage} />
        </div>
      )}
    </SectionPage>
  );
}
