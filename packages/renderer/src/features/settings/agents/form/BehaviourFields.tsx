import type { GuardianMode } from '@shared/contracts/agent-types.ts';
import { useTranslation } from 'react-i18next';
import { cx } from '../../../../ui/cx.ts';
import { Field } from '../../../../ui/Field.tsx';
import { Input } from '../../../../ui/Input.tsx';
import { SegmentedControl } from '../../../../ui/SegmentedControl.tsx';
import { MODES } from '../../../agent/shared/modes.ts';
import { Group } from '../../shared/Group.tsx';
import type { PresetProblems } from '../preset-draft.ts';
import type { DraftProps } from './PresetFields.tsx';

const GUARDIANS: readonly GuardianMode[] = ['off', 'guard', 'strict'];

/** What an agent may do without asking, and whether a model rates what it does. */
export function ModeFields({ draft, set }: DraftProps) {
  const { t } = useTranslation('agent');
  return (
    <>
      <Group title={t('presets.mode')}>
        <SegmentedControl
          label={t('presets.mode')}
          value={draft.mode}
          onChange={(mode) => set({ mode })}
          options={MODES.map((value) => ({ value, label: t(`mode.${value}`) }))}
        />
        <p className={cx('min-h-10 pt-1.5 text-sm', draft.mode === 'bypass' ? 'text-warning' : 'text-muted')}>
          {t(`mode.${draft.mode}Text`)}
        </p>
      </Group>
      <Group title={t('presets.guardian')} text={t('presets.guardianHint')}>
        <SegmentedControl
          label={t('presets.guardian')}
          value={draft.guardian}
          onChange={(guardian) => set({ guardian })}
          options={GUARDIANS.map((value) => ({ value, label: t(`presets.guardians.${value}`) }))}
        />
        <p className="pt-1.5 text-muted text-sm">{t(`presets.guardianText.${draft.guardian}`)}</p>
      </Group>
    </>
  );
}

/** After how much a run asks whether to go on. */
export function LimitFields({ draft, set, problems }: DraftProps & { problems: PresetProblems }) {
  const { t } = useTranslation('agent');
  return (
    <Group title={t('presets.limits')}>
      <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
        <Field
          label={t('presets.rounds')}
          hint={t('presets.roundsHint')}
          error={problems.maxRounds && t(`presets.problem.${problems.maxRounds}`)}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft.maxRounds}
              onChange={(event) => set({ maxRounds: event.target.value })}
              className="tabular"
            />
          )}
        </Field>
        <Field
          label={t('presets.budget')}
          hint={t('presets.budgetHint')}
          error={problems.tokenBudget && t(`presets.problem.${problems.tokenBudget}`)}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft.tokenBudget}
              onChange={(event) => set({ tokenBudget: event.target.value })}
              className="tabular"
            />
          )}
        </Field>
      </div>
    </Group>
  );
}
