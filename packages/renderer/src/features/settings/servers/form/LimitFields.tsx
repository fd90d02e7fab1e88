import type { McpProtocol } from '@shared/contracts/mcp-types.ts';
import { useTranslation } from 'react-i18next';
import { Disclosure } from '../../../../ui/Disclosure.tsx';
import { Field } from '../../../../ui/Field.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { Select } from '../../../../ui/Select.tsx';
import { hasProtocolChoice, limitsOf, type ServerDraft, unitOf } from '../logic/server-draft.ts';
import { LIMIT_RANGES, type Problems } from '../logic/validate-draft.ts';

export interface DraftFieldsProps {
  draft: ServerDraft;
  set: (values: Partial<ServerDraft>) => void;
  problems: Problems;
  /** What is wrong with a field, in words. */
  textOf: (field: string) => string | undefined;
}

const PROTOCOLS: McpProtocol[] = ['auto', 'legacy', '2026-07-28'];

/** Limits and the protocol, folded away: hardly anyone needs them. */
export function LimitFields({ draft, set, problems, textOf }: DraftFieldsProps) {
  const { t } = useTranslation('servers');
  const limits = limitsOf(draft.type);
  const usesLimits = limits.some((name) => draft.limits[name] !== '' || problems[`limits.${name}`]);
  const choosesProtocol = hasProtocolChoice(draft.type);
  const used = usesLimits || (choosesProtocol && draft.protocol !== 'auto');
  return (
    <Disclosure label={t('form.advanced')} defaultOpen={used}>
      <div className="grid grid-cols-3 gap-4 pt-3 max-sm:grid-cols-1">
        {limits.map((name) => (
          <Field
            key={name}
            label={t(`form.limit.${name}`)}
            hint={t(`form.limit.${name}Hint`)}
            error={textOf(`limits.${name}`)}
          >
            {(control) => (
              <div className="flex items-center gap-2">
                <Input
                  {...control}
                  inputMode="decimal"
                  value={draft.limits[name]}
                  placeholder={placeholder(LIMIT_RANGES[name].default, unitOf(name).size) ?? t('form.limit.never')}
                  onChange={(event) => set({ limits: { ...draft.limits, [name]: event.target.value } })}
                  className="tabular"
                />
                <span className="text-muted text-sm">{t(`form.limit.${unitOf(name).name}`)}</span>
              </div>
            )}
          </Field>
        ))}
        {choosesProtocol && (
          <Field label={t('form.protocol.label')} hint={t('form.protocol.hint')}>
            {(control) => (
              <Select
                {...control}
                value={draft.protocol}
                onChange={(protocol) => set({ protocol })}
                options={PROTOCOLS.map((value) => ({ value, label: t(`form.protocol.${value}`) }))}
              />
            )}
          </Field>
        )}
      </div>
    </Disclosure>
  );
}

const placeholder = (value: number | undefined, unit: number) =>
  value === undefined ? undefined : String(value / unit);
