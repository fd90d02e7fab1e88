import { describe, expect, it, vi } from 'vitest';
import { createShutdown } from './shutdown.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const never = () => new Promise<never>(() => {});

describe('createShutdown', () => {
  it('runs steps in order and the parts of a step side by side', async () => {
    const seen: string[] = [];
    let open: (() => void) | undefined;
    const shutdown = createShutdown(
      [
        {
          name: 'first',
          parts: [
            // Ends only because the second part runs beside it.
            () => new Promise<void>((resolve) => (open = resolve)).then(() => seen.push('a')),
            () => {
              seen.push('b');
              open?.();
            },
          ],
        },
        { name: 'second', parts: [() => seen.push('c')] },
      ],
      silent,
    );
    await shutdown();
    expect(seen).toEqual(['b', 'a', 'c']);
  });

  it('runs once, however often it is called', async () => {
    const part = vi.fn();
    const shutdown = createShutdown([{ name: 'only', parts: [part] }], silent);
    await Promise.all([shutdown(), shutdown()]);
    await shutdown();
    expect(part).toHaveBeenCalledOnce();
  });

  it('goes on after a part that fails, thrown or rejected, and logs it', async () => {
    const error = vi.fn();
    const last = vi.fn();
    const shutdown = createShutdown(
      [
        {
          name: 'bad',
          parts: [
            () => {
              throw new Error('thrown');
            },
            () => Promise.reject(new Error('rejected')),
          ],
        },
        { name: 'good', parts: [last] },
      ],
      { ...silent, error },
    );
    await shutdown();
    expect(last).toHaveBeenCalledOnce();
    expect(error).toHaveBeenCalledTimes(2);
  });

  it('is cut short where a part hangs', async () => {
    const shutdown = createShutdown([{ name: 'hangs', parts: [never] }], silent, 20);
    await expect(shutdown()).resolves.toBeUndefined();
  });
});
