import { expect, it } from 'vitest';
import { storedRows, toRecord, withNewRow } from './name-values.ts';

it('keeps stored values as null, and takes typed ones as they are', () => {
  const [first, second, third] = withNewRow(storedRows(['KEPT', 'REPLACED']));
  const rows = [
    first!,
    { ...second!, stored: false, value: ' spaces stay ' },
    { ...third!, name: ' NEW ', value: 'x' },
  ];
  expect(toRecord(rows)).toEqual({ KEPT: null, REPLACED: ' spaces stay ', NEW: 'x' });
});

it('leaves out rows that were never filled in, and is undefined without rows', () => {
  expect(toRecord(withNewRow(withNewRow([])))).toBeUndefined();
  expect(toRecord(storedRows([]))).toBeUndefined();
});

it('keeps an empty value: a variable may be empty', () => {
  expect(toRecord([{ id: 0, name: 'EMPTY', value: '', stored: false }])).toEqual({ EMPTY: '' });
});

it('gives a new row an id of its own, also after one was removed', () => {
  const rows = withNewRow(storedRows(['A', 'B', 'C']).slice(1));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
});
