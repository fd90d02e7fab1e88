import type { Notice } from '@shared/contracts/app.contract.ts';
import { Info, TriangleAlert, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { api } from '../bridge/api.ts';
import { toApiError, unwrap } from '../bridge/errors.ts';
import { useSecretChoice } from '../features/settings/shared/secret-choice.ts';
import { useApp } from '../stores/app.ts';
import { toastError } from '../stores/toasts.ts';
import { Button } from '../ui/Button.tsx';
import { cx } from '../ui/cx.ts';
import { IconButton } from '../ui/IconButton.tsx';

/** What the person must know and that belongs to no conversation, in rows above the view. */
export function NoticeBanners() {
  const { t } = useTranslation('shell');
  const asking = useSecretChoice((state) => state.answer !== null);
  // While a dialog asks the same, one question is enough.
  const notices = useApp((state) => state.notices).filter(({ kind }) => !(asking && kind === 'weak-secrets'));
  if (notices.length === 0) return null;
  return (
    <section aria-label={t('notice.region')} className="flex flex-col gap-px">
      {notices.map((notice) => (
        <Banner key={notice.id} notice={notice} />
      ))}
    </section>
  );
}

function Banner({ notice }: { notice: Notice }) {
  const { t } = useTranslation(['shell', 'common']);
  const dismissNotice = useApp((state) => state.dismissNotice);
  const dismiss = () => dismissNotice(notice.id).catch((thrown) => toastError(toApiError(thrown)));
  const calm = notice.kind === 'renderer-restarted';
  const Icon = calm ? Info : TriangleAlert;

  const choose = (choice: 'store' | 'session-only') =>
    unwrap(api().app.chooseWeakSecrets({ choice })).then(dismiss, (thrown) => toastError(toApiError(thrown)));

  return (
    <div
      data-testid="notice"
      data-kind={notice.kind}
      className={cx(
        'flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 text-sm',
        calm ? 'bg-surface-3' : 'bg-warning-soft',
      )}
    >
      <Icon size={16} aria-hidden className={cx('shrink-0', calm ? 'text-muted' : 'text-warning')} />
      <p className="min-w-60 flex-1 [overflow-wrap:anywhere]">
        <NoticeText notice={notice} />
      </p>
      {notice.kind === 'weak-secrets' && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => choose('session-only')}>
            {t('notice.weak-secrets_session')}
          </Button>
          <Button size="sm" onClick={() => choose('store')}>
            {t('notice.weak-secrets_store')}
          </Button>
        </div>
      )}
      <IconButton icon={X} label={t('common:dismiss')} onClick={dismiss} className="size-7" />
    </div>
  );
}

function NoticeText({ notice: { kind, values } }: { notice: Notice }) {
  const { t } = useTranslation('shell');
  switch (kind) {
    case 'file-set-aside':
      if (values.outcome === 'recovered') return t('notice.file-recovered', { file: values.file, path: values.path });
      if (values.outcome === 'stuck') return t('notice.file-stuck', { file: values.file });
      return values.file && values.path ? t('notice.file-set-aside', values) : t('notice.file-set-aside_plain');
    case 'secret-unreadable':
      return values.name ? t('notice.secret-unreadable', values) : t('notice.secret-unreadable_plain');
    case 'record-skipped':
      return values.name ? t('notice.record-skipped', values) : t('notice.record-skipped_plain');
    case 'renderer-restarted':
      return t('notice.renderer-restarted');
    case 'weak-secrets':
      return (
        <>
          {t('notice.weak-secrets')} {t('notice.weak-secrets_hint')}
        </>
      );
  }
}
