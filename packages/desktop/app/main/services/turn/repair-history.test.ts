import { describe, expect, it } from 'vitest';
import type { AssistantContent, ModelMessage, ToolResultContent } from '../ports/model.ts';
import { faultsOf } from './__fixtures__/check-history.ts';
import { seeded } from './__fixtures__/random.ts';
import { repairHistory } from './repair-history.ts';

const origin = { providerId: 'p', modelId: 'm' };
const user = (text: string): ModelMessage => ({ role: 'user', text });
const answer = (...content: AssistantContent[]): ModelMessage => ({ role: 'assistant', origin, content });
const text = (value: string, providerData?: unknown): AssistantContent => ({
  type: 'text',
  text: value,
  ...(providerData !== undefined && { providerData }),
});
const reasoning = (value: string, providerData?: unknown): AssistantContent => ({
  type: 'reasoning',
  text: value,
  ...(providerData !== undefined && { providerData }),
});
const call = (callId: string, name = callId.toLowerCase()): AssistantContent => ({
  type: 'tool-call',
  callId,
  name,
  args: { of: callId },
});
const result = (callId: string, value = `result of ${callId}`, name = callId.toLowerCase()): ToolResultContent => ({
  callId,
  name,
  isError: false,
  text: value,
});
const tool = (...results: ToolResultContent[]): ModelMessage => ({ role: 'tool', results });
const missing = (callId: string, name = callId.toLowerCase()): ToolResultContent => ({
  callId,
  name,
  isError: true,
  text: 'There is no result of this call.',
});

describe('repairHistory', () => {
  it('changes nothing in a history that is valid', () => {
    const history = [
      user('hello'),
      answer(reasoning('hm', { signature: 's' }), text('I look.'), call('A'), call('B')),
      tool(result('A'), { ...result('B'), images: [{ data: 'aGk=', mimeType: 'image/png' }] }),
      answer(text('Done.')),
      user('thanks'),
    ];
    expect(repairHistory(history)).toEqual(history);
  });

  it('does not change what it is given', () => {
    const history = [
      tool(result('X')),
      answer(text(''), call('A'), call('A')),
      user('a'),
      user('b'),
      tool(result('A')),
    ];
    const before = structuredClone(history);
    repairHistory(history);
    expect(history).toEqual(before);
  });

  it('fills in results that never came, after a crash with calls A, B and C', () => {
    expect(
      repairHistory([user('do'), answer(call('A'), call('B'), call('C')), tool(result('A')), user('go on')]),
    ).toEqual([
      user('do'),
      answer(call('A'), call('B'), call('C')),
      tool(result('A'), missing('B'), missing('C')),
      user('go on'),
    ]);
  });

  it('brings results together right behind their answer, in the order of the calls', () => {
    expect(
      repairHistory([
        user('do'),
        answer(call('A'), call('B'), call('C')),
        tool(result('C')),
        user('[a picture between two results]'),
        tool(result('A')),
        tool(result('B')),
      ]),
    ).toEqual([
      user('do'),
      answer(call('A'), call('B'), call('C')),
      tool(result('A'), result('B'), result('C')),
      user('[a picture between two results]'),
    ]);
  });

  it('leaves out results without a call, and keeps the first of two for one call', () => {
    expect(
      repairHistory([
        tool(result('lost')),
        user('do'),
        answer(call('A')),
        tool(result('A', 'first'), result('A', 'second'), result('unheard')),
        tool(result('A', 'late')),
      ]),
    ).toEqual([user('do'), answer(call('A')), tool(result('A', 'first'))]);
  });

  it('begins with the user when the history was cut', () => {
    expect(repairHistory([answer(text('Hi')), user('hello')])[0]).toEqual({
      role: 'user',
      text: expect.stringContaining('not shown'),
    });
    expect(repairHistory([tool(result('A')), user('hello')])).toEqual([user('hello')]);
    expect(repairHistory([])).toEqual([]);
  });

  it('tells calls with one id apart, in several answers and within one, the same way each time', () => {
    const history = [
      user('do'),
      answer(call('call_0', 'f')),
      tool(result('call_0', 'one', 'f')),
      answer(call('call_0', 'f'), call('call_0', 'g')),
      tool(result('call_0', 'for g', 'g'), result('call_0', 'for f', 'f')),
    ];
    const repaired = repairHistory(history);
    expect(faultsOf(repaired)).toEqual([]);
    const results = repaired.flatMap((message) => (message.role === 'tool' ? message.results : []));
    expect(results.map(({ callId, text }) => [callId, text])).toEqual([
      ['call_0', 'one'],
      ['call_0_1', 'for f'],
      ['call_0_2', 'for g'],
    ]);
    expect(repairHistory([...history, user('more')]).slice(0, repaired.length)).toEqual(repaired);
  });

  it('gives a result to the latest call of that id, not to one that was given up before', () => {
    const repaired = repairHistory([
      user('do'),
      answer(call('c0', 'f')),
      user('again'),
      answer(call('c0', 'f')),
      tool(result('c0', 'of the second', 'f')),
    ]);
    expect(repaired.flatMap((message) => (message.role === 'tool' ? message.results : []))).toEqual([
      missing('c0', 'f'),
      { ...result('c0', 'of the second', 'f'), callId: 'c0_1' },
    ]);
  });

  it('makes ids, names and arguments of other providers valid, alike in call and result', () => {
    const long = 'x'.repeat(200);
    const repaired = repairHistory([
      user('do'),
      answer(call('', '21st_demo__search'), call('functions.f:0', '天気.tool'), call(long, long), call('ok', '')),
      tool(result('', 'r', '21st_demo__search')),
      answer({ type: 'tool-call', callId: 'n', name: 'f', args: null as unknown as Record<string, unknown> }),
    ]);
    expect(faultsOf(repaired)).toEqual([]);
    expect(repaired[2]).toMatchObject({ results: [{ text: 'r', name: 't_21st_demo__search' }, {}, {}, {}] });
  });

  it('removes empty text, and answers that come to nothing', () => {
    expect(repairHistory([user('a'), answer(text(''), text('  \n'), text('x')), user(' '), user('b')])).toEqual([
      user('a'),
      answer(text('x')),
      user('b'),
    ]);
    expect(repairHistory([user('a'), answer(text('')), user('b')])).toEqual([user('a\n\nb')]);
  });

  it('mends text that was cut through a character', () => {
    const half = 'cut \ud83d';
    const repaired = repairHistory([
      user(half),
      answer(text(half), { type: 'tool-call', callId: 'A', name: 'a', args: { deep: [{ x: half, y: '😀 \\ud83d' }] } }),
      tool(result('A', half)),
    ]);
    const mended = 'cut \ufffd';
    expect(repaired).toEqual([
      user(mended),
      answer(text(mended), {
        type: 'tool-call',
        callId: 'A',
        name: 'a',
        args: { deep: [{ x: mended, y: '😀 \\ud83d' }] },
      }),
      tool(result('A', mended)),
    ]);
  });

  it('keeps an empty text that carries a signature', () => {
    const history = [user('a'), answer(text('x'), text('', { thoughtSignature: 's' })), user('b')];
    expect(repairHistory(history)).toEqual(history);
  });

  it('drops reasoning at the end of an answer that broke off, but not of one that goes back to be gone on with', () => {
    expect(repairHistory([user('a'), answer(reasoning('hm', { signature: 's' })), user('b')])).toEqual([
      user('a\n\nb'),
    ]);
    const paused = [user('a'), answer(text('x'), reasoning('hm', { signature: 's' }))];
    expect(repairHistory(paused)).toEqual(paused);
    expect(repairHistory([user('a'), answer(text('x'), reasoning('never signed'))])).toEqual([
      user('a'),
      answer(text('x')),
    ]);
  });

  it('makes one of two answers in a row; of two models, only what both can read', () => {
    expect(
      repairHistory([user('a'), answer(text('x')), answer(reasoning('r', 1), call('A')), tool(result('A'))]),
    ).toEqual([user('a'), answer(text('x'), reasoning('r', 1), call('A')), tool(result('A'))]);
    const other: ModelMessage = {
      role: 'assistant',
      origin: { providerId: 'q', modelId: 'm' },
      content: [reasoning('r', 1), text('y', 2)],
    };
    expect(repairHistory([user('a'), answer(text('x', 3)), other])).toEqual([
      user('a'),
      { role: 'assistant', content: [text('x'), text('y')] },
    ]);
  });

  it('makes every random history valid, twice the same as once, and loses no words of a person and no paired result', () => {
    for (let seed = 1; seed <= 3_000; seed++) {
      const history = randomHistory(seeded(seed));
      const repaired = repairHistory(history);
      expect(faultsOf(repaired), `seed ${seed}`).toEqual([]);
      expect(repairHistory(repaired), `seed ${seed}`).toEqual(repaired);
      expect(wordsOfUser(repaired).replace(/^\(The beginning.*?\)\s*/, ''), `seed ${seed}`).toBe(wordsOfUser(history));
      const calls = (messages: ModelMessage[]) =>
        messages.flatMap((m) => (m.role === 'assistant' ? m.content.filter((c) => c.type === 'tool-call') : []));
      expect(
        calls(repaired).map((c) => c.args),
        `seed ${seed}`,
      ).toEqual(calls(history).map((c) => c.args));
    }
  });
});

const wordsOfUser = (messages: ModelMessage[]) =>
  messages
    .flatMap((message) => (message.role === 'user' && message.text.trim() !== '' ? [message.text] : []))
    .join('\n\n');

function randomHistory(random: () => number): ModelMessage[] {
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const many = <Item>(max: number, make: () => Item): Item[] =>
    Array.from({ length: Math.floor(random() * (max + 1)) }, make);
  const ids = ['A', 'B', 'call_0', 'call_0_1', '', 'bad id!', 'y'.repeat(70)];
  const names = ['f', 'g', '1st', 'a.b', ''];
  const content = (): AssistantContent =>
    pick([
      () => text(pick(['', ' ', 'words', 'more']), pick([undefined, undefined, { sig: 1 }])),
      () => reasoning(pick(['', 'hm']), pick([undefined, { sig: 2 }])),
      () => call(pick(ids), pick(names)),
      () => call(pick(ids), pick(names)),
    ])();
  return many(
    12,
    (): ModelMessage =>
      pick([
        () => user(pick(['one', 'two', '', '  '])),
        () => ({ role: 'assistant' as const, origin: pick([origin, undefined]), content: many(5, content) }),
        () => tool(...many(4, () => result(pick(ids), pick(['r1', 'r2']), pick(names)))),
      ])(),
  );
}
