import { useEffect } from 'react';
import { create } from 'zustand';

/** What was being entered, so that a look at the chat doesn't lose it. Lives as long as the window. */
const useKept = create<{ values: Readonly<Record<string, unknown>> }>()(() => ({ values: {} }));

/** Like useState, but the value outlives the component until `forgetKept(key)`. One key always holds one type. */
export function useKeptState<Value>(key: string, initial: () => Value): [Value, (next: Value) => void] {
  const kept = useKept((state) => state.values[key]) as Value | undefined;
  const set = (next: Value) => useKept.setState(({ values }) => ({ values: { ...values, [key]: next } }));
  return [kept ?? initial(), set];
}

export function forgetKept(key: string): void {
  useKept.setState(({ values: { [key]: _dropped, ...values } }) => ({ values }));
}

const pageKey = (section: string) => `${section}.page`;

/** Where one is within a section. The section begins at its first page again unless something was being entered. */
export function useSectionPage<Page>(section: string, first: () => Page): [Page, (next: Page) => void] {
  useEffect(
    () => () => {
      const typed = Object.keys(useKept.getState().values).some((key) => key.startsWith(`${section}.draft.`));
      if (!typed) forgetKept(pageKey(section));
    },
    [section],
  );
  return useKeptState(pageKey(section), first);
}

/** Back to the first page of a section; what was being entered is there when its form is opened again. */
export const toFirstPage = (section: string): void => forgetKept(pageKey(section));

/** For tests. */
export function forgetAllKept(): void {
  useKept.setState({ values: {} });
}
