import { describe, expect, it } from 'vitest';
import { isTicking, stateWords } from './state-words.ts';

const error = { code: 'connect-failed', message: 'It did not start.' };

describe('stateWords', () => {
  it('says that a program may be downloading when its start takes longer, and that a server sleeps', () => {
    const installing = { status: 'connecting', since: 0, note: '' } as const;
    expect(stateWords(installing, 2000)).toEqual({ tone: 'accent', key: 'connectingFor', seconds: 2 });
    expect(stateWords(installing, 3000)).toEqual({ tone: 'accent', key: 'installing', seconds: 3 });
    expect(stateWords({ status: 'ready', toolCount: 1, asleep: true }, 0)).toEqual({ tone: 'neutral', key: 'asleep' });
  });

  it('counts up while a server starts, and says nothing of the first second', () => {
    expect(stateWords({ status: 'connecting', since: 1000 }, 1999)).toEqual({ tone: 'accent', key: 'connecting' });
    expect(stateWords({ status: 'connecting', since: 1000 }, 13_500)).toMatchObject({
      key: 'connectingFor',
      seconds: 12,
    });
  });

  it('counts down to the next try, and not below it', () => {
    const state = { status: 'waiting-to-retry', retryAt: 10_000, error } as const;
    expect(stateWords(state, 4500)).toMatchObject({ key: 'retryIn', seconds: 6 });
    expect(stateWords(state, 10_000)).toMatchObject({ key: 'retryNow' });
    expect(stateWords(state, 99_000)).toMatchObject({ key: 'retryNow' });
  });

  it('stays sane when the clock was set back', () => {
    expect(stateWords({ status: 'connecting', since: 50_000 }, 1000)).toMatchObject({ key: 'connecting' });
  });

  it('ticks only while its words change by themselves', () => {
    expect(isTicking({ status: 'connecting', since: 0 })).toBe(true);
    expect(isTicking({ status: 'waiting-to-retry', retryAt: 0, error })).toBe(true);
    for (const state of [{ status: 'off' }, { status: 'ready', toolCount: 0 }, { status: 'failed', error }] as const) {
      expect(isTicking(state)).toBe(false);
    }
  });
});
