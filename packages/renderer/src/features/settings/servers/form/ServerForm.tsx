import type { McpServerTransport, McpServerView } from '@shared/contracts/mcp-types.ts';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { SegmentedControl } from '../../../../ui/SegmentedControl.tsx';
import { SubPage } from '../../shared/SectionPage.tsx';
import { StartStopButton } from '../../shared/StartStopButton.tsx';
import { BuiltinOffers } from '../builtin/BuiltinOffers.tsx';
import { argsToLines, splitArguments } from '../logic/argument-lines.ts';
import { AddressFields } from './AddressFields.tsx';
import { LimitFields } from './LimitFields.tsx';
import { ProgramFields } from './ProgramFields.tsx';
import { TestResult } from './TestResult.tsx';
import { useServerForm } from './useServerForm.ts';

const TRANSPORTS: McpServerTransport[] = ['stdio', 'http', 'sse'];

/** The form for a new server, or for `server`. @param onDone gets the server's id, when there is one */
export function ServerForm({ server, onDone }: { server?: McpServerView; onDone: (serverId?: string) => void }) {
  const { t } = useTranslation(['servers', 'common']);
  const form = useServerForm(server, onDone);
  const { draft, set, problems, textOf, save, test } = form;
  const nameInput = useRef<HTMLInputElement>(null);
  useEffect(() => nameInput.current?.focus(), []);
  const title = server ? t('form.editTitle', { name: server.name }) : t('form.addTitle');
  const oneLine = draft.type === 'stdio' ? splitArguments(draft.args) : null;
  const fields = { draft, set, problems, textOf };

  return (
    <SubPage
      title={title}
      back={t('title')}
      dirty={form.dirty}
      onBack={() => {
        form.forget();
        onDone(server?.id);
      }}
    >
      {(leave) => (
        <div className="flex flex-col gap-8">
          {!server && (
            <BuiltinOffers
              onAdded={(id) => {
                form.forget();
                onDone(id);
              }}
            />
          )}
          <form
            ref={form.form}
            aria-label={title}
            data-testid="server-form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void form.submit();
            }}
            className="flex flex-col gap-5"
          >
            {!server && <h2 className="font-semibold text-base">{t('form.own')}</h2>}
            <Field label={t('form.name')} error={textOf('name')}>
              {(control) => (
                <Input
                  {...control}
                  ref={nameInput}
                  dir="auto"
                  value={draft.name}
                  onChange={(event) => set({ name: event.target.value })}
                />
              )}
            </Field>
            <div className="flex flex-col items-start gap-1.5">
              <span aria-hidden className="font-medium text-sm">
                {t('form.type')}
              </span>
              <SegmentedControl
                label={t('form.type')}
                value={draft.type}
                onChange={(type) => set({ type })}
                options={TRANSPORTS.map((type) => ({ value: type, label: t(`transport.${type}`) }))}
              />
              <p className="text-muted text-sm">{t(`transportHint.${draft.type}`)}</p>
            </div>
            {draft.type === 'stdio' ? <ProgramFields {...fields} /> : <AddressFields {...fields} />}
            <LimitFields {...fields} />
            <TestResult
              startedAt={form.testedAt}
              answer={form.answer}
              error={test.error}
              onSplit={oneLine ? () => set({ args: argsToLines(oneLine) }) : undefined}
            />
            {save.error && <ErrorNote error={save.error} />}
            <div className="flex flex-wrap items-center gap-2 border-border border-t pt-5">
              <Button type="submit" variant="primary" busy={save.busy}>
                {t(server ? 'common:save' : 'common:add')}
              </Button>
              <StartStopButton running={test.busy} onStart={() => form.runTest()} onStop={form.stopTest}>
                {t('form.test')}
              </StartStopButton>
              <Button variant="ghost" onClick={leave}>
                {t('common:cancel')}
              </Button>
            </div>
          </form>
        </div>
      )}
    </SubPage>
  );
}
