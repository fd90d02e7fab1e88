/** A row of the table of environment variables or headers. */
export interface NameValue {
  /** Unique within its table. */
  id: number;
  name: string;
  value: string;
  /** The value is stored in main and is kept unless it is replaced. */
  stored: boolean;
}

export const storedRows = (names: readonly string[]): NameValue[] =>
  names.map((name, id) => ({ id, name, value: '', stored: true }));

export function withNewRow(rows: readonly NameValue[]): NameValue[] {
  const id = Math.max(-1, ...rows.map((row) => row.id)) + 1;
  return [...rows, { id, name: '', value: '', stored: false }];
}

/** A row that was added and never filled in says nothing. */
export const isBlank = (row: NameValue): boolean => !row.stored && row.name.trim() === '' && row.value === '';

/** What main takes: null keeps the stored value. Undefined when there are no rows. */
export function toRecord(rows: readonly NameValue[]): Record<string, string | null> | undefined {
  const filled = rows.filter((row) => !isBlank(row));
  if (filled.length === 0) return undefined;
  return Object.fromEntries(filled.map(({ name, value, stored }) => [name.trim(), stored ? null : value]));
}
