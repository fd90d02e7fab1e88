import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { SegmentedControl } from '../../../ui/SegmentedControl.tsx';
import { VisibleText } from '../../../ui/VisibleText.tsx';

/** Deeper values are shown as JSON: indenting further helps nobody. */
const MAX_DEPTH = 4;

/**
 * Arguments as a person reads them: names and values, text without quotes and with its line breaks; or as JSON. Always the
 * whole of them. `args` null: what the model wrote is no object, and `argsText` is shown instead.
 */
export function ArgumentsView({ args, argsText }: { args: Record<string, unknown> | null; argsText?: string }) {
  const { t } = useTranslation('chat');
  const [form, setForm] = useState<'read' | 'json'>('read');
  const entries = args ? Object.entries(args) : [];
  const json = () => (args ? JSON.stringify(args, null, 2) : (argsText ?? ''));

  if (args && entries.length === 0) return <p className="text-muted text-sm">{t('tool.noArguments')}</p>;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex items-center justify-between gap-2">
        <h4 className="font-medium text-muted text-xs">{t('tool.arguments')}</h4>
        <div className="flex items-center gap-1">
          {args && (
            <SegmentedControl
              label={t('tool.argumentsForm')}
              value={form}
              onChange={setForm}
              options={[
                { value: 'read', label: t('tool.formRead') },
                { value: 'json', label: t('tool.formJson') },
              ]}
            />
          )}
          <CopyButton text={json} label={t('tool.copyArguments')} />
        </div>
      </div>
      <div data-testid="tool-arguments" className="max-h-80 min-w-0 overflow-auto rounded-md bg-code px-3 py-2">
        {args && form === 'read' ? <Pairs entries={entries} depth={0} /> : <Preformatted text={json()} />}
      </div>
    </div>
  );
}

function Pairs({ entries, depth }: { entries: [string, unknown][]; depth: number }) {
  return (
    <dl className="grid grid-cols-[minmax(0,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm max-sm:grid-cols-1">
      {entries.map(([name, value]) => (
        <div key={name} className="col-span-full grid grid-cols-subgrid items-baseline">
          <dt className="max-w-60 text-muted [overflow-wrap:anywhere]">
            <VisibleText text={name} />
          </dt>
          <dd className="min-w-0">
            <Value value={value} depth={depth} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value, depth }: { value: unknown; depth: number }) {
  const { t } = useTranslation('chat');
  if (value === '') return <span className="text-muted italic">{t('tool.emptyText')}</span>;
  if (typeof value === 'string') return <Preformatted text={value} />;
  if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    const entries = Array.isArray(value)
      ? value.map((item, index): [string, unknown] => [`${index + 1}.`, item])
      : Object.entries(value);
    if (entries.length > 0) return <Pairs entries={entries} depth={depth + 1} />;
  }
  return <Preformatted text={JSON.stringify(value, null, 2) ?? String(value)} />;
}

/** `break-spaces` wraps at spaces too: a long run of them can't push what follows out of sight. */
const Preformatted = ({ text }: { text: string }) => (
  <div className="font-mono text-sm [overflow-wrap:anywhere] [white-space:break-spaces]">
    <VisibleText text={text} />
  </div>
);
