import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useServers } from '../../../../stores/servers.ts';
import { useToasts } from '../../../../stores/toasts.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../../ui/ErrorNote.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { Textarea } from '../../../../ui/Input.tsx';
import { InputFields } from '../import/InputFields.tsx';
import { PastedServer } from './PastedServer.tsx';
import { usePastedJson } from './usePastedJson.ts';

const EXAMPLE = `{
  "mcpServers": {
    "everything": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"]
    }
  }
}`;

/** Takes the JSON that servers' documentation gives, and shows everything in it before anything is added. */
export function PasteJsonDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['servers', 'common']);
  const field = useRef<HTMLTextAreaElement>(null);
  const names = useServers((state) => state.servers)?.map(({ server }) => server.name.toLowerCase()) ?? [];
  const { text, setText, pasted, readError, errors, ticked, tick, inputs, setInput, add } = usePastedJson((count) => {
    useToasts.getState().show({ tone: 'neutral', text: t('json.added', { count }) });
    onClose();
  });

  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      testId="paste-json-dialog"
      title={t('json.title')}
      description={t('json.text')}
      initialFocus={field}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" disabled={ticked.length === 0} busy={add.busy} onClick={() => add.run()}>
            {ticked.length === 0 ? t('common:add') : t('json.add', { count: ticked.length })}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label={t('json.label')}>
          {(control) => (
            <Textarea
              {...control}
              ref={field}
              mono
              rows={pasted ? 4 : 9}
              wrap="off"
              value={text}
              placeholder={EXAMPLE}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {readError && <ErrorNote error={readError} />}
        {pasted?.problems.map(({ name, reason }) => (
          <ErrorNote
            key={name}
            error={name === 'JSON' ? { message: reason } : { message: t('json.problem', { name }), hint: reason }}
          />
        ))}
        {pasted && pasted.servers.length > 0 && (
          <section aria-label={t('json.found', { count: pasted.servers.length })} className="flex flex-col gap-2">
            <h3 className="font-medium text-sm">{t('json.found', { count: pasted.servers.length })}</h3>
            <ul className="flex flex-col gap-3">
              {pasted.servers.map((draft) => (
                <PastedServer
                  key={draft.name}
                  draft={draft}
                  ticked={ticked.includes(draft)}
                  nameTaken={names.includes(draft.name.toLowerCase())}
                  error={errors[draft.name]}
                  onTick={(on) => tick(draft.name, on)}
                />
              ))}
            </ul>
          </section>
        )}
        {inputs.needed.length > 0 && <InputFields {...inputs} onChange={setInput} />}
      </div>
    </Dialog>
  );
}
