import { Check, ChevronsUpDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import type { FieldControlProps } from './Field.tsx';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
}

/** One of a short list. Give it a Field's control props, or an `aria-label`. */
export function Select<Value extends string>({
  value,
  onChange,
  options,
  disabled,
  ...control
}: {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  disabled?: boolean;
  'aria-label'?: string;
} & Partial<FieldControlProps>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Value)} disabled={disabled}>
      <Radix.Trigger
        {...control}
        className="flex h-9 w-full min-w-0 items-center justify-between gap-2 rounded-lg border border-border-strong bg-surface-2 px-3 text-left text-sm disabled:opacity-55"
      >
        <span className="truncate">
          <Radix.Value />
        </span>
        <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-muted" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="appear z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) overflow-hidden rounded-lg border border-border bg-surface-2 p-1 shadow-float"
        >
          <Radix.Viewport>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex h-8 items-center justify-between gap-3 rounded-sm px-2 text-sm outline-none select-none data-[highlighted]:bg-surface-3"
              >
                <Radix.ItemText>{option.label}</Radix.ItemText>
                <Radix.ItemIndicator>
                  <Check size={16} aria-hidden />
                </Radix.ItemIndicator>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
