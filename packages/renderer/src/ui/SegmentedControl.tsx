import { ToggleGroup } from 'radix-ui';
import { cx } from './cx.ts';
import type { SelectOption } from './Select.tsx';

/** One of two to four choices that fit side by side. */
export function SegmentedControl<Value extends string>({
  value,
  onChange,
  options,
  label,
}: {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** Name of the group for screen readers. */
  label: string;
}) {
  return (
    <ToggleGroup.Root
      type="single"
      value={value}
      // Pressing the chosen one again would leave none.
      onValueChange={(next) => next && onChange(next as Value)}
      aria-label={label}
      className="inline-flex gap-0.5 rounded-md bg-surface-3 p-0.5"
    >
      {options.map((option) => (
        <ToggleGroup.Item
          key={option.value}
          value={option.value}
          className={cx(
            'h-7 rounded-sm px-3 font-medium text-muted text-sm transition-colors hover:text-text',
            'data-[state=on]:bg-raised data-[state=on]:text-text',
          )}
        >
          {option.label}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
