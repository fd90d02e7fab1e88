import { create } from 'zustand';

/**
 * Counts up whenever what is known about tools may have changed: their lists, their servers, or what was decided about them.
 * Whoever shows such things loads them again then.
 */
export const useToolChanges = create<{ version: number }>()(() => ({ version: 0 }));

export const toolsMayHaveChanged = (): void => useToolChanges.setState(({ version }) => ({ version: version + 1 }));
