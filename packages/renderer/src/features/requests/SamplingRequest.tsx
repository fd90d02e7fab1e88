import type { ModelRef } from '@shared/contracts/message-types.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultModel, markedModelName, modelState, useProviders } from '../../stores/providers.ts';
import { Button } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Field } from '../../ui/Field.tsx';
import { Textarea } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { VisibleText } from '../../ui/VisibleText.tsx';
import { visibleString } from '../../ui/visible-text.ts';
import { useActiveModel } from '../chat/model.ts';
import { mediaUrl } from '../chat/tools/media.ts';
import type { RequestBodyProps } from './RequestView.tsx';
import { SafeButton } from './SafeButton.tsx';

/** A request that a server wants a model to answer: the person agrees to the request first, and then to the answer. */
export function SamplingRequest({ question, answering, onTyped }: RequestBodyProps<'sampling'>) {
  const { phase } = question;
  return (
    <>
      <WholeRequest question={question} />
      {phase.name === 'failed' && <ErrorNote error={phase.error} />}
      {(phase.name === 'asked' || phase.name === 'failed') && <Ask answering={answering} />}
      {phase.name === 'writing' && <Writing model={phase.model} answering={answering} />}
      {phase.name === 'answered' && <Answered key={phase.text} phase={phase} answering={answering} onTyped={onTyped} />}
    </>
  );
}

function WholeRequest({ question }: Pick<RequestBodyProps<'sampling'>, 'question'>) {
  const { t } = useTranslation('requests');
  const parts = [
    ...(question.system === undefined ? [] : [{ role: 'system' as const, text: question.system, images: undefined }]),
    ...question.messages,
  ];
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <section
        data-testid="sampling-request"
        aria-label={t('sampling.request')}
        // A box that scrolls must be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        className="flex max-h-72 flex-col gap-3 overflow-y-auto rounded-lg bg-code px-4 py-3 text-sm"
      >
        {parts.map(({ role, text, images = [] }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a request never changes
          <div key={at} className="min-w-0">
            <p className="font-medium text-muted text-xs">{t(`sampling.role.${role}`)}</p>
            <p className="whitespace-pre-wrap [overflow-wrap:anywhere] [unicode-bidi:plaintext]">
              <VisibleText text={text} />
            </p>
            {images.map((image, number) => (
              <img
                // biome-ignore lint/suspicious/noArrayIndexKey: a request never changes
                key={number}
                src={mediaUrl('image', image) ?? undefined}
                alt={t('sampling.picture', { number: number + 1 })}
                className="mt-2 max-h-60 max-w-full rounded-md"
              />
            ))}
          </div>
        ))}
      </section>
      <p className="text-muted text-xs [overflow-wrap:anywhere]">
        {t('sampling.limit', { count: question.maxTokens })}
        {question.hints.length > 0 &&
          ` ${t('sampling.hints', { names: question.hints.map(visibleString).join(', ') })}`}
        {question.notPassedOn.length > 0 &&
          ` ${t('sampling.notPassedOn', {
            wishes: question.notPassedOn.map(({ name, value }) => `${name} ${visibleString(value)}`).join('; '),
          })}`}
      </p>
    </div>
  );
}

const keyOf = ({ providerId, modelId }: ModelRef): string => JSON.stringify([providerId, modelId]);

function useNameOf(ref: ModelRef): string {
  const state = modelState(ref, useProviders(({ providers }) => providers) ?? []);
  return 'model' in state ? markedModelName(state.provider, state.model) : ref.modelId;
}

function Ask({ answering }: Pick<RequestBodyProps<'sampling'>, 'answering'>) {
  const { t } = useTranslation('requests');
  const providers = useProviders((state) => state.providers) ?? [];
  const active = useActiveModel();
  const [chosen, setChosen] = useState<ModelRef | null>(null);
  const usable = providers.flatMap((provider) =>
    provider.models.flatMap((model) => {
      const ref = { providerId: provider.id, modelId: model.id };
      if (modelState(ref, providers).kind !== 'ready') return [];
      return [{ ref, label: `${markedModelName(provider, model)} · ${provider.name}` }];
    }),
  );
  const wanted = chosen ?? (active.state.kind === 'ready' ? active.ref : null) ?? defaultModel(null, providers);
  const model = usable.find(({ ref }) => wanted && keyOf(ref) === keyOf(wanted)) ?? usable[0];

  return (
    <>
      <Field
        label={t('sampling.model')}
        hint={model ? t('sampling.modelHint') : undefined}
        error={model ? null : t('sampling.noModel')}
      >
        {(control) => (
          <Select
            {...control}
            value={model ? keyOf(model.ref) : ''}
            disabled={!model}
            onChange={(key) => setChosen(usable.find(({ ref }) => keyOf(ref) === key)?.ref ?? null)}
            options={usable.map(({ ref, label }) => ({ value: keyOf(ref), label }))}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <SafeButton answering={answering} />
        <Button
          variant="primary"
          busy={answering.sending === 'approve'}
          disabled={!model || answering.sending !== null}
          onClick={() => model && answering.answer({ action: 'approve', model: model.ref })}
        >
          {t('sampling.approve')}
        </Button>
      </div>
    </>
  );
}

function Writing({ model, answering }: { model: ModelRef } & Pick<RequestBodyProps<'sampling'>, 'answering'>) {
  const { t } = useTranslation('requests');
  const name = useNameOf(model);
  return (
    <div className="flex flex-wrap items-center gap-3">
      <p className="flex min-w-60 flex-1 items-center gap-2 text-muted text-sm">
        <Spinner size={16} />
        {t('sampling.writing', { model: name })}
      </p>
      <SafeButton answering={answering} />
    </div>
  );
}

function Answered({
  phase,
  answering,
  onTyped,
}: {
  phase: { model: ModelRef; text: string; cut: boolean };
} & Pick<RequestBodyProps<'sampling'>, 'answering' | 'onTyped'>) {
  const { t } = useTranslation('requests');
  const [text, setText] = useState(phase.text);
  const name = useNameOf(phase.model);
  return (
    <>
      <Field
        label={t('sampling.answer', { model: name })}
        hint={phase.cut ? t('sampling.cut') : t('sampling.answerHint')}
        error={text.trim() === '' ? t('problem.required') : null}
      >
        {(control) => (
          <Textarea
            {...control}
            data-testid="sampling-answer"
            dir="auto"
            rows={6}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              onTyped(event.target.value !== phase.text);
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <SafeButton answering={answering} />
        <Button
          variant="primary"
          busy={answering.sending === 'send'}
          disabled={text.trim() === '' || answering.sending !== null}
          onClick={() => answering.answer({ action: 'send', text })}
        >
          {t('sampling.send')}
        </Button>
      </div>
    </>
  );
}
