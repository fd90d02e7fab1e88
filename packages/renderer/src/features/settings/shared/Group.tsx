import { type ReactNode, useId } from 'react';

/** Settings that belong together, under a heading. */
export function Group({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="font-semibold text-base">
        {title}
      </h2>
      {text && <p className="text-muted text-sm">{text}</p>}
      <div className="pt-2.5">{children}</div>
    </section>
  );
}
