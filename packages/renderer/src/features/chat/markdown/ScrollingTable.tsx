import type { ComponentProps } from 'react';

/** A table that scrolls by itself where it is wider than the text. */
export function ScrollingTable({ children }: ComponentProps<'table'>) {
  return (
    <div className="max-w-full overflow-x-auto rounded-lg border border-border bg-surface-2">
      <table className="w-full">{children}</table>
    </div>
  );
}
