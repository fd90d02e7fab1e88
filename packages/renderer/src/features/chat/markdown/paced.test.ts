// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { usePaced } from './paced.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

/** A component in which showing a text takes `renderMs`. Counts how often it was built. */
function mount(renderMs: number) {
  let builds = 0;
  let last: string | undefined;
  const hook = renderHook(
    ({ text, growing }: { text: string; growing: boolean }) => {
      const shown = usePaced(text, growing);
      if (shown !== last) {
        last = shown;
        builds += 1;
        vi.setSystemTime(Date.now() + renderMs);
        vi.advanceTimersByTime(renderMs);
      }
      return shown;
    },
    { initialProps: { text: 'a', growing: true } },
  );
  return { ...hook, builds: () => builds };
}

describe('usePaced', () => {
  it('shows what came, although more comes all the time', () => {
    const { result, rerender } = mount(0);
    let text = 'a';
    for (let i = 0; i < 50; i++) {
      text += 'b';
      rerender({ text, growing: true });
      pass(16);
      expect(text.length - result.current.length).toBeLessThan(5);
    }
  });

  it('builds less often the longer building takes, and still goes on', () => {
    const { result, rerender, builds } = mount(60);
    let text = 'a';
    for (let i = 0; i < 100; i++) {
      text += 'b';
      rerender({ text, growing: true });
      pass(16);
    }
    expect(builds()).toBeGreaterThan(4);
    expect(builds()).toBeLessThan(30);
    expect(result.current.length).toBeGreaterThan(70);
  });

  it('shows all of it when the text is complete', () => {
    const { result, rerender } = mount(0);
    rerender({ text: 'ab', growing: true });
    rerender({ text: 'abc', growing: false });
    expect(result.current).toBe('abc');
  });

  it('leaves no timer behind', () => {
    const { rerender, unmount } = mount(0);
    rerender({ text: 'ab', growing: true });
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });
});
