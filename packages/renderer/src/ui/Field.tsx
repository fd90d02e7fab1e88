import { type ReactNode, useId } from 'react';

/** What an input needs to belong to its label, hint and error. Spread it on the control. */
export interface FieldControlProps {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

/** A labelled control with an optional hint below it, or what is wrong with what was entered. */
export function Field({
  label,
  hint,
  error,
  optional,
  children,
}: {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  /** A word beside the label, such as "optional". */
  optional?: string;
  children: (control: FieldControlProps) => ReactNode;
}) {
  const id = useId();
  const noteId = `${id}-note`;
  const optionalId = `${id}-optional`;
  const note = error ?? hint;
  const description = [optional && optionalId, note && noteId].filter(Boolean).join(' ');
  return (
    <div className="flex min-w-0 flex-col gap-1.5 [overflow-wrap:anywhere]">
      <div className="flex items-baseline gap-2 text-sm">
        <label htmlFor={id} className="min-w-0 font-medium">
          {label}
        </label>
        {optional && (
          <span id={optionalId} className="text-muted text-xs">
            {optional}
          </span>
        )}
      </div>
      {children({ id, 'aria-describedby': description || undefined, 'aria-invalid': error ? true : undefined })}
      {note && (
        <p
          id={noteId}
          role={error ? 'alert' : undefined}
          className={error ? 'text-danger text-sm' : 'text-muted text-sm'}
        >
          {note}
        </p>
      )}
    </div>
  );
}
