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
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="flex items-baseline gap-2 font-medium text-sm">
        {label}
        {optional && <span className="font-normal text-muted text-xs">{optional}</span>}
      </label>
      {children({ id, 'aria-describedby': note ? noteId : undefined, 'aria-invalid': error ? true : undefined })}
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
