import { channelNames, contracts } from '@shared/contracts/index.ts';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type CallSpec, defineContract } from '../../../shared/contracts/contract.ts';
import { AppError } from '../ports/errors.ts';
import { createAppRouter } from './app-router.ts';
import { createDispatcher, type SenderFrame } from './dispatcher.ts';
import { showsPageOf } from './own-page.ts';
import { defineRouter, type Router } from './router.ts';

const OURS: SenderFrame = { url: 'tinyelf://app/', isMainFrame: true };
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const isOurs = showsPageOf('tinyelf://app/');

/** Every contract there is, each call answered by one spy that must never be reached. */
function refusingDispatcher() {
  const reached = vi.fn();
  const routers = Object.values(contracts).map(
    (contract): Router => ({
      contract,
      handlers: Object.fromEntries(Object.keys(contract.calls).map((call) => [call, reached])),
    }),
  );
  return { dispatch: createDispatcher(routers, isOurs, silent), reached };
}

/** The fields of an input with their schemas. */
function fieldsOf(input: z.ZodType): [string, z.ZodType][] {
  return input instanceof z.ZodObject ? Object.entries(input.shape) : [];
}

describe.each(channelNames)('channel %s refuses', (channel) => {
  const [domain, call] = channel.split('.') as [keyof typeof contracts, string];
  const spec = (contracts[domain].calls as Record<string, CallSpec>)[call]!;
  const takesNothing = spec.input.safeParse(undefined).success;

  const refusal = async (sender: SenderFrame | null, input: unknown) => {
    const { dispatch, reached } = refusingDispatcher();
    const envelope = await dispatch(channel, sender, input);
    expect(reached).not.toHaveBeenCalled();
    return envelope.ok ? 'accepted' : envelope.error.code;
  };

  it.each([
    ['another origin', { url: 'https://evil.example/', isMainFrame: true }],
    ['a look-alike origin', { url: 'tinyelf://app.evil.example/', isMainFrame: true }],
    ['our name under another scheme', { url: 'https://app/', isMainFrame: true }],
    ['our scheme at another port', { url: 'tinyelf://app:8080/', isMainFrame: true }],
    ['a page without an origin', { url: 'data:text/html,tinyelf://app/', isMainFrame: true }],
    ['a blob of our page', { url: 'blob:tinyelf://app/7', isMainFrame: true }],
    ['a local file', { url: 'file:///app', isMainFrame: true }],
    ['no address', { url: '', isMainFrame: true }],
    ['a frame inside our page', { url: 'tinyelf://app/', isMainFrame: false }],
    ['a frame that is gone', null],
  ])('%s', async (_name, sender) => {
    expect(await refusal(sender, undefined)).toBe('forbidden');
  });

  it.each([
    ['a number', 7],
    ['a string', 'x'],
    ['a list', [1]],
    ['null', null],
    ['an unknown key', { surprise: true }],
    ['a map', new Map([['a', 1]])],
    ['a big integer', 1n],
    ...(takesNothing
      ? []
      : [['nothing', undefined] as [string, unknown], ['an empty object of the wrong shape', []] as [string, unknown]]),
  ])('%s', async (_name, input) => {
    expect(await refusal(OURS, input)).toBe('invalid-input');
  });

  it.each(fieldsOf(spec.input))('anything of the wrong type as its "%s"', async (field, schema) => {
    const wrong = [7, true, 'x', null, [], {}, [{}], { x: 1 }].filter((value) => !schema.safeParse(value).success);
    expect(wrong).not.toEqual([]);
    for (const value of wrong) {
      const { dispatch, reached } = refusingDispatcher();
      const envelope = await dispatch(channel, OURS, { [field]: value });
      expect(reached).not.toHaveBeenCalled();
      expect(envelope).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
      // It is this field that was refused, not only those that are missing.
      expect(JSON.stringify(envelope)).toContain(`→ at ${field}`);
    }
  });

  it('a value over its limit', async () => {
    const tooMuch = 'x'.repeat((spec.maxBytes ?? 1024 * 1024) + 1);
    expect(await refusal(OURS, { text: tooMuch })).toBe('too-large');
    expect(await refusal(OURS, { [tooMuch]: 1 })).toBe('too-large');
    expect(await refusal(OURS, { a: { b: [tooMuch] } })).toBe('too-large');
    // Counted as it is in JSON, where these take six bytes, two, and as many as they have digits.
    expect(await refusal(OURS, { text: '\u0001'.repeat(tooMuch.length / 6 + 1) })).toBe('too-large');
    expect(await refusal(OURS, { ['"'.repeat(tooMuch.length / 2 + 1)]: 1 })).toBe('too-large');
    expect(await refusal(OURS, Array(Math.ceil(tooMuch.length / 20)).fill(-1.2345678901234567))).toBe('too-large');
  });

  it('keys that reach a prototype, at any depth', async () => {
    expect(await refusal(OURS, JSON.parse('{"__proto__":{"isAdmin":true}}'))).toBe('invalid-input');
    expect(await refusal(OURS, JSON.parse('{"config":{"env":{"__proto__":{"x":1}}}}'))).toBe('invalid-input');
    expect(await refusal(OURS, JSON.parse('[[{"__proto__":1}]]'))).toBe('invalid-input');
  });

  it('cycles and bottomless nesting', async () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(await refusal(OURS, cycle)).toBe('invalid-input');
    expect(await refusal(OURS, JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`))).toBe('invalid-input');
  });
});

describe('the dispatcher', () => {
  const contract = defineContract({
    domain: 'sums',
    errors: ['odd'],
    calls: { half: { input: z.strictObject({ of: z.number(), by: z.number().default(2) }), output: z.number() } },
    events: {},
  });
  const dispatcherFor = (half: (input: { of: number; by: number }) => number | Promise<number>, logger = silent) =>
    createDispatcher([defineRouter(contract, { half })], isOurs, logger);

  it('hands parsed input to the handler and wraps its answer', async () => {
    const dispatch = dispatcherFor(({ of, by }) => of / by);
    expect(await dispatch('sums.half', OURS, { of: 8 })).toEqual({ ok: true, value: 4 });
  });

  it('passes on an error of the closed list, whole', async () => {
    const dispatch = dispatcherFor(() => {
      throw new AppError('odd', 'It is odd.', { hint: 'Take an even one.', details: '7' });
    });
    expect(await dispatch('sums.half', OURS, { of: 7 })).toEqual({
      ok: false,
      error: { code: 'odd', message: 'It is odd.', hint: 'Take an even one.', details: '7' },
    });
  });

  it('turns a code outside the list into internal, and logs it', async () => {
    const error = vi.fn();
    const dispatch = dispatcherFor(
      () => {
        throw new AppError('surprise', 'Boo.');
      },
      { ...silent, error },
    );
    const envelope = await dispatch('sums.half', OURS, { of: 7 });
    expect(envelope).toMatchObject({ ok: false, error: { code: 'internal' } });
    expect(JSON.stringify(envelope)).not.toContain('Boo.');
    expect(error).toHaveBeenCalledWith(
      expect.any(String),
      expect.objectContaining({ code: 'surprise', message: 'Boo.' }),
    );
  });

  it('tells that a choice about secrets could not be stored', async () => {
    const refused = () => {
      throw new AppError('store-failed', 'The disk is full.');
    };
    const router = createAppRouter({ chooseWeakSecrets: refused } as never, {} as never);
    const envelope = await createDispatcher([router], isOurs, silent)('app.chooseWeakSecrets', OURS, {
      choice: 'store',
    });
    expect(envelope).toMatchObject({ ok: false, error: { code: 'store-failed', message: 'The disk is full.' } });
  });

  it('never rejects, whatever is thrown', async () => {
    const dispatch = dispatcherFor(() => Promise.reject(null));
    expect(await dispatch('sums.half', OURS, { of: 7 })).toMatchObject({ ok: false, error: { code: 'internal' } });
  });

  it('knows no channel outside the contracts', async () => {
    const dispatch = dispatcherFor(() => 0);
    expect(await dispatch('sums.toString', OURS, undefined)).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });

  it('accepts one object that stands in two places', async () => {
    const dispatch = createDispatcher(
      [
        defineRouter(
          defineContract({
            domain: 'pairs',
            errors: [],
            calls: { same: { input: z.array(z.strictObject({ a: z.number() })), output: z.boolean() } },
            events: {},
          }),
          { same: ([left, right]) => left?.a === right?.a },
        ),
      ],
      isOurs,
      silent,
    );
    const shared = { a: 1 };
    expect(await dispatch('pairs.same', OURS, [shared, shared])).toEqual({ ok: true, value: true });
  });
});
