import { type ReactNode, useId } from 'react';
import type { FieldControlProps } from './Field.tsx';

/** A setting: its name and meaning on the left, its control on the right. */
export function SettingRow({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string;
  children: (control: FieldControlProps) => ReactNode;
}) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div className="flex items-center justify-between gap-6 py-3">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {hint && (
          <p id={hintId} className="text-muted text-sm">
            {hint}
          </p>
        )}
      </div>
      <div className="shrink-0">{children({ id, 'aria-describedby': hint ? hintId : undefined })}</div>
    </div>
  );
}
