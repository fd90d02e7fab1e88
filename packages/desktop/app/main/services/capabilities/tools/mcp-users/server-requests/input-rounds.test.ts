import { describe, expect, it } from 'vitest';
import { RpcError } from '../transports/errors.ts';
import { type Retry, withInputRounds, withUrlsFirst } from './input-rounds.ts';

describe('withInputRounds', () => {
  it('answers each round and gives the state back as it came', async () => {
    const sent: Retry[] = [];
    const results = [
      {
        resultType: 'input_required',
        inputRequests: { a: { method: 'roots/list' }, b: { method: 'elicitation/create', params: { message: 'x' } } },
        requestState: 's1',
      },
      { resultType: 'input_required', requestState: 's2' },
      { content: [] },
    ];
    const result = await withInputRounds(
      async (retry) => results[sent.push(retry) - 1],
      async (method, params) => ({ method, params }),
    );
    expect(result).toEqual({ content: [] });
    expect(sent).toEqual([
      {},
      {
        inputResponses: {
          a: { method: 'roots/list', params: {} },
          b: { method: 'elicitation/create', params: { message: 'x' } },
        },
        requestState: 's1',
      },
      { requestState: 's2' },
    ]);
  });

  it.each([
    ['never stops asking', { requestState: 'x' }],
    ['asks for too much at once', { inputRequests: Object.fromEntries([...Array(21).keys()].map((n) => [n, {}])) }],
    ['asks in a form that is not known', { inputRequests: { a: 'x' } }],
  ])('fails for a server that %s', async (_what, more) => {
    const send = async () => ({ resultType: 'input_required', ...more });
    await expect(withInputRounds(send, async () => ({}))).rejects.toThrow(RpcError);
  });
});

describe('withUrlsFirst', () => {
  const required = new RpcError(-32042, 'first', { elicitations: [{ url: 'https://a.example', elicitationId: '1' }] });

  it.each([
    ['accept', 'done'],
    ['decline', undefined],
  ])('sends again only after %s', async (action, expected) => {
    let sent = 0;
    const send = async () => {
      if (++sent === 1) throw required;
      return 'done';
    };
    const result = withUrlsFirst(send, async () => ({ action }));
    if (expected) expect(await result).toBe(expected);
    else await expect(result).rejects.toBe(required);
  });

  it('leaves other errors alone', async () => {
    const other = new RpcError(-32000, 'no', { elicitations: [] });
    await expect(
      withUrlsFirst(
        () => Promise.reject(other),
        async () => ({}),
      ),
    ).rejects.toBe(other);
  });
});
