import { Switch as Radix } from 'radix-ui';
import type { FieldControlProps } from './Field.tsx';

/** On or off, at once. Give it a Field's control props, or an `aria-label`. */
export function Switch({
  checked,
  onChange,
  disabled,
  ...control
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  'aria-label'?: string;
} & Partial<FieldControlProps>) {
  return (
    <Radix.Root
      {...control}
      checked={checked}
      onCheckedChange={onChange}
      disabled={disabled}
      className="group inline-flex h-7 shrink-0 items-center rounded-full disabled:opacity-55"
    >
      <span className="flex h-5 w-9 items-center rounded-full bg-border-strong p-0.5 transition-colors group-data-[state=checked]:bg-accent">
        <Radix.Thumb className="size-4 rounded-full bg-surface-2 transition-transform data-[state=checked]:translate-x-4" />
      </span>
    </Radix.Root>
  );
}
