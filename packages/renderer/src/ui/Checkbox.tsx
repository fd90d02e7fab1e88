import { Check } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import { type ReactNode, useId } from 'react';

/** A tick before its label. */
export function Checkbox({
  checked,
  onChange,
  disabled,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <div className="flex min-h-7 items-start gap-2.5 text-sm">
      <Radix.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        disabled={disabled}
        className="mt-1 flex size-5 shrink-0 items-center justify-center rounded-sm border border-border-strong bg-surface-2 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=checked]:text-on-accent disabled:opacity-55"
      >
        <Radix.Indicator>
          <Check size={16} aria-hidden />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id} className="min-w-0 grow py-1 [overflow-wrap:anywhere]">
        {children}
      </label>
    </div>
  );
}
