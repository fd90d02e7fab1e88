import { create } from 'zustand';

/** What was being entered, so that a look at the chat doesn't lose it. Lives as long as the window. */
const useKept = create<{ values: Readonly<Record<string, unknown>> }>()(() => ({ values: {} }));

/** Like useState, but the value outlives the component until `forgetKept(key)`. One key always holds one type. */
export function useKeptState<Value>(key: string, initial: () => Value): [Value, (next: Value) => void] {
  const kept = useKept((state) => state.values[key]) as Value | undefined;
  const set = (next: Value) => useKept.setState(({ values }) => ({ values: { ...values, [key]: next } }));
  return [kept ?? initial(), set];
}

export function keep(key: string, value: unknown): void {
  useKept.setState(({ values }) => ({ values: { ...values, [key]: value } }));
}

export function forgetKept(key: string): void {
  useKept.setState(({ values: { [key]: _dropped, ...values } }) => ({ values }));
}

/** For tests. */
export function forgetAllKept(): void {
  useKept.setState({ values: {} });
}
