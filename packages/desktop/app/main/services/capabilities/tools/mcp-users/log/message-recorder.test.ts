import type { McpMessageFacts } from '@shared/contracts/mcp-types.ts';
import { describe, expect, it } from 'vitest';
import { MessageRecorder } from './message-recorder.ts';

function makeRecorder() {
  const kept: { level: string; json: string; facts: McpMessageFacts }[] = [];
  const recorder = new MessageRecorder((level, json, facts) => kept.push({ level, json, facts }));
  recorder.active = true;
  return { recorder, kept };
}

describe('messages', () => {
  it('are requests, answers, errors and notifications, with the method and the time of what they answer', () => {
    const { recorder, kept } = makeRecorder();
    recorder.record('out', { jsonrpc: '2.0', id: 5, method: 'tools/call', params: {} });
    recorder.record('in', { jsonrpc: '2.0', method: 'notifications/progress', params: {} });
    recorder.record('in', { jsonrpc: '2.0', id: 5, result: {} });
    recorder.record('out', { jsonrpc: '2.0', id: 6, method: 'tools/list' });
    recorder.record('in', { jsonrpc: '2.0', id: '6', error: { code: -1, message: 'no' } });
    expect(kept.map(({ facts: { direction, kind, method, id } }) => [direction, kind, method, id])).toEqual([
      ['out', 'request', 'tools/call', '5'],
      ['in', 'notification', 'notifications/progress', undefined],
      ['in', 'response', 'tools/call', '5'],
      ['out', 'request', 'tools/list', '6'],
      ['in', 'error', 'tools/list', '6'],
    ]);
    expect(kept.map(({ facts }) => facts.ms !== undefined)).toEqual([false, false, true, false, true]);
    expect(kept[0]).toMatchObject({ level: 'debug', facts: { bytes: kept[0]?.json.length } });
    expect(kept[4]?.level).toBe('warning');
  });

  it('of both sides may have the same id', () => {
    const { recorder, kept } = makeRecorder();
    recorder.record('out', { id: 1, method: 'ours' });
    recorder.record('in', { id: 1, method: 'theirs' });
    recorder.record('out', { id: 1, result: {} });
    recorder.record('in', { id: 1, result: {} });
    expect(kept.slice(2).map(({ facts }) => facts.method)).toEqual(['theirs', 'ours']);
  });

  it('whose request was not seen have no method and no time', () => {
    const { recorder, kept } = makeRecorder();
    recorder.record('out', { id: 1, method: 'ours' });
    recorder.active = false;
    recorder.active = true;
    recorder.record('in', { id: 1, result: {} });
    expect(kept[1]?.facts).toMatchObject({ kind: 'response', method: undefined, ms: undefined });
  });

  it('are counted in bytes', () => {
    const { recorder, kept } = makeRecorder();
    recorder.record('in', { id: 1, result: '日本' });
    expect(kept[0]?.facts.bytes).toBe('{"id":1,"result":""}'.length + 6);
  });

  it.each<[string, unknown]>([
    ['an odd id', { id: { a: 1 }, result: 1 }],
    ['an odd method', { id: 1, method: 7 }],
    ['a list', []],
    ['no id', { result: 1 }],
    ['null for an id', { id: null, error: { message: 'Parse error' } }],
    ['a long method', { method: 'm'.repeat(1_000_000) }],
    [
      'itself',
      (() => {
        const message: Record<string, unknown> = { method: 'loop' };
        message.params = message;
        return message;
      })(),
    ],
  ])('may be odd: %s', (_name, message) => {
    const { recorder, kept } = makeRecorder();
    recorder.record('in', message);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept[0]?.facts).length).toBeLessThan(1000);
  });

  it('that are never answered do not pile up', () => {
    const { recorder, kept } = makeRecorder();
    for (let id = 0; id < 5000; id += 1) recorder.record('in', { id, method: 'ask' });
    recorder.record('out', { id: 1, result: 1 });
    recorder.record('out', { id: 4999, result: 1 });
    expect(kept.slice(5000).map(({ facts }) => facts.method)).toEqual([undefined, 'ask']);
  });
});
