import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { ConnectionLost, RequestTimeout, RpcError } from './errors.ts';
import { SharedTransport } from './shared-transport.ts';

type Sent = { id: number; method: string; params: Record<string, unknown> & { _meta: { progressToken: number } } };

/** A transport whose other end is the test. */
function wire() {
  const sent: Sent[] = [];
  const inner: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => void sent.push(message as unknown as Sent),
  };
  const shared = new SharedTransport(inner);
  const seen: JSONRPCMessage[] = [];
  shared.onmessage = (message) => seen.push(message);
  const receive = (message: object) => inner.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage);
  const request = (options = {}) => shared.request('tools/call', { name: 'x' }, { idleMs: 60_000, ...options });
  return { inner, shared, sent, seen, receive, request };
}

describe('SharedTransport', () => {
  it('takes the answers to its own requests, in any order and with ids as text, and leaves the rest to the client', async () => {
    const { sent, seen, receive, request } = wire();
    const answers = Promise.all([request(), request()]);
    receive({ id: 0, result: {} });
    receive({ method: 'notifications/tools/list_changed' });
    receive({ id: String(sent[1]!.id), result: 'second' });
    receive({ id: sent[0]!.id, result: 'first' });
    expect(await answers).toEqual(['first', 'second']);
    expect(seen.length).toBe(2);
    receive({ id: sent[0]!.id, result: 'again' });
    expect(seen.length).toBe(2);
  });

  it('sends a progress token always, and hands progress to its call only', async () => {
    const { sent, seen, receive, request } = wire();
    const progress: unknown[] = [];
    const answer = request({ onProgress: (each: unknown) => progress.push(each) });
    const { progressToken } = sent[0]!.params._meta;
    receive({ method: 'notifications/progress', params: { progressToken, progress: 1, total: 'many', message: 'm' } });
    receive({ method: 'notifications/progress', params: { progressToken: progressToken + 7, progress: 2 } });
    receive({ method: 'notifications/progress', params: { progressToken: 'other', progress: 3 } });
    receive({ method: 'notifications/progress' });
    receive({ id: sent[0]!.id, result: null });
    expect(await answer).toBeNull();
    expect(progress).toEqual([{ progress: 1, message: 'm' }]);
    expect(seen.length).toBe(2);
  });

  it('outlives a listener that throws', async () => {
    const { sent, receive, request } = wire();
    const answer = request({
      onProgress: () => {
        throw new Error('no');
      },
    });
    receive({ method: 'notifications/progress', params: { progressToken: sent[0]!.id, progress: 1 } });
    receive({ id: sent[0]!.id, result: 'ok' });
    expect(await answer).toBe('ok');
  });

  it('rejects with the server’s error, whatever its form', async () => {
    const { sent, receive, request } = wire();
    for (const error of [{ code: -32602, message: 'bad' }, { code: 'x' }, { message: 7 }]) {
      const answer = request();
      receive({ id: sent.at(-1)!.id, error });
      await expect(answer).rejects.toBeInstanceOf(RpcError);
    }
  });

  it('tells the server when it gives up, once, with a fixed reason', async () => {
    const { sent, request } = wire();
    await expect(request({ idleMs: 20 })).rejects.toMatchObject({ kind: 'idle', limitMs: 20 });
    await expect(request({ idleMs: 1000, totalMs: 20 })).rejects.toBeInstanceOf(RequestTimeout);
    const controller = new AbortController();
    const cancelled = request({ signal: controller.signal });
    controller.abort(new Error('private'));
    await expect(cancelled).rejects.toThrow('private');
    await expect(request({ signal: controller.signal })).rejects.toThrow('private');
    const told = sent.filter(({ method }) => method === 'notifications/cancelled');
    expect(told.map(({ params }) => params.reason)).toEqual(Array(3).fill('The request was cancelled.'));
  });

  it('rejects everything when the connection ends', async () => {
    const { inner, request } = wire();
    const answer = request();
    inner.onclose?.();
    await expect(answer).rejects.toBeInstanceOf(ConnectionLost);
    await expect(request()).rejects.toBeInstanceOf(ConnectionLost);
  });

  it('knows when nothing is running', async () => {
    const { sent, shared, receive, request } = wire();
    await shared.idle(10_000);
    const answers = Promise.all([request(), request()]);
    const idle = shared.idle(10_000).then(() => 'idle');
    receive({ id: sent[0]!.id, result: 1 });
    expect(await Promise.race([idle, Promise.resolve('busy')])).toBe('busy');
    receive({ id: sent[1]!.id, result: 2 });
    await answers;
    expect(await idle).toBe('idle');
    void request().catch(() => {});
    await shared.idle(10);
    await shared.close();
  });
});

describe('a person who is waited for', () => {
  it('is told of to whoever watches: once when clocks stop, once when they go on', () => {
    const { shared } = wire();
    const early: boolean[] = [];
    const endEarly = shared.watchHolds((isHeld) => early.push(isHeld));
    const [one, two] = [shared.hold(), shared.hold()];
    expect(early).toEqual([true]);
    const late: boolean[] = [];
    const endLate = shared.watchHolds((isHeld) => late.push(isHeld));
    expect(late).toEqual([true]);
    one();
    one();
    endLate();
    expect(late).toEqual([true, false]);
    two();
    expect(early).toEqual([true, false]);
    endEarly();
    shared.hold()();
    expect([early, late]).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it('is told of to the others too when one who watches fails', () => {
    const { shared } = wire();
    const told: boolean[] = [];
    const errors: Error[] = [];
    shared.onerror = (error) => errors.push(error);
    shared.watchHolds(() => {
      throw new Error('on purpose');
    });
    shared.watchHolds((isHeld) => told.push(isHeld));
    shared.hold()();
    expect(told).toEqual([true, false]);
    expect(errors.map(({ message }) => message)).toEqual(['on purpose', 'on purpose']);
  });
});

describe('what a server asks', () => {
  const asking = (answer: () => Promise<unknown>) => {
    const all = wire();
    const signals: AbortSignal[] = [];
    all.shared.onServerRequest = (method, _params, signal) => {
      if (method !== 'roots/list') return undefined;
      signals.push(signal);
      return answer();
    };
    return { ...all, signals };
  };

  it('is answered under its own id, and the rest is left to the client', async () => {
    const { sent, seen, receive } = asking(async () => ({ roots: [] }));
    receive({ id: 'r1', method: 'roots/list' });
    receive({ id: 2, method: 'ping' });
    await Promise.resolve();
    await Promise.resolve();
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 'r1', result: { roots: [] } }]);
    expect(seen.length).toBe(1);
  });

  it('is refused with the code of an error meant for it, and without the words of any other', async () => {
    const errors = [new RpcError(-1, 'refused'), new Error('private')];
    const { sent, receive } = asking(async () => Promise.reject(errors.shift()));
    receive({ id: 1, method: 'roots/list' });
    receive({ id: 2, method: 'roots/list' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toMatchObject([
      { id: 1, error: { code: -1, message: 'refused' } },
      { id: 2, error: { code: -32603, message: expect.not.stringContaining('private') } },
    ]);
  });

  it('gets no answer once it was taken back, and is ended with the connection', async () => {
    const { shared, sent, seen, signals, receive } = asking(() => new Promise(() => {}));
    receive({ id: 1, method: 'roots/list' });
    receive({ id: 2, method: 'roots/list' });
    receive({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    expect(seen).toEqual([]);
    await shared.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(sent).toEqual([]);
  });
});

describe('held clocks', () => {
  it('stand still, and go on with the time that was left', async () => {
    const { shared, request } = wire();
    const letGo = [shared.hold(), shared.hold()];
    let error: unknown;
    const answer = request({ idleMs: 150, totalMs: 150 }).catch((thrown) => {
      error = thrown;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    letGo[0]!();
    letGo[0]!();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(error).toBeUndefined();
    expect(shared.heldMs).toBeGreaterThan(700);
    letGo[1]!();
    await answer;
    expect(error).toBeInstanceOf(RequestTimeout);
  });
});
