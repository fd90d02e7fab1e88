import { useTranslation } from 'react-i18next';
import { Button } from '../../../../ui/Button.tsx';
import { Disclosure } from '../../../../ui/Disclosure.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { Input, Textarea } from '../../../../ui/Input.tsx';
import { argsToLines, splitArguments, splitCommand } from '../logic/argument-lines.ts';
import { targetOfForm } from '../target.ts';
import { WhatRuns } from '../WhatRuns.tsx';
import type { DraftFieldsProps } from './LimitFields.tsx';
import { NameValueRows } from './NameValueRows.tsx';

/** What a program needs to be started. */
export function ProgramFields({ draft, set, problems, textOf }: DraftFieldsProps) {
  const { t } = useTranslation(['servers', 'common']);
  const wholeLine = draft.args.trim() === '' ? splitCommand(draft.command) : null;
  const oneLine = splitArguments(draft.args);
  return (
    <>
      <div className="flex flex-col gap-2">
        <Field label={t('form.command')} hint={t('form.commandHint')} error={textOf('command')}>
          {(control) => (
            <Input
              {...control}
              mono
              value={draft.command}
              onChange={(event) => set({ command: event.target.value })}
              placeholder="npx"
            />
          )}
        </Field>
        {wholeLine && (
          <Offer
            text={t('form.splitCommand')}
            action={t('form.split')}
            onTake={() => set({ command: wholeLine.command, args: argsToLines(wholeLine.args) })}
          />
        )}
      </div>
      <div className="flex flex-col gap-2">
        <Field
          label={t('form.arguments')}
          optional={t('common:optional')}
          hint={t('form.argumentsHint')}
          error={textOf('args')}
        >
          {(control) => (
            <Textarea
              {...control}
              mono
              rows={Math.min(12, Math.max(3, draft.args.split('\n').length))}
              wrap="off"
              value={draft.args}
              onChange={(event) => set({ args: event.target.value })}
              placeholder={'-y\n@modelcontextprotocol/server-everything'}
            />
          )}
        </Field>
        {oneLine && (
          <Offer
            text={t('form.splitArguments')}
            action={t('form.splitAtSpaces')}
            onTake={() => set({ args: argsToLines(oneLine) })}
          />
        )}
      </div>
      <Field label={t('form.folder')} optional={t('common:optional')} hint={t('form.folderHint')} error={textOf('cwd')}>
        {(control) => (
          <Input
            {...control}
            name="cwd"
            mono
            value={draft.cwd}
            onChange={(event) => set({ cwd: event.target.value })}
          />
        )}
      </Field>
      <NameValueRows
        kind="env"
        rows={draft.env}
        onChange={(env) => set({ env })}
        problemOf={({ id }) => problems[`env.${id}`]}
      />
      {draft.command.trim() !== '' && (
        <Disclosure label={t('form.preview')} defaultOpen>
          <div className="mt-2 rounded-lg bg-code px-4 py-3">
            <WhatRuns target={targetOfForm(draft)} />
          </div>
        </Disclosure>
      )}
    </>
  );
}

/** Something that the form noticed, and what it could do about it. */
function Offer({ text, action, onTake }: { text: string; action: string; onTake: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2 rounded-lg bg-surface-3 py-1.5 pr-1.5 pl-3 text-sm">
      <span className="min-w-0">{text}</span>
      <Button size="sm" onClick={onTake}>
        {action}
      </Button>
    </div>
  );
}
