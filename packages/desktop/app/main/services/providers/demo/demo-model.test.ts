import { describe, expect, it } from 'vitest';
import type { ModelMessage, StreamPart, ToolResultContent } from '../../ports/model.ts';
import type { OpenAITool } from '../../ports/tool-formats.ts';
import { createDemoModel } from './demo-model.ts';
import { toolNamed, toolsOf } from './test-support.ts';

const user = (text: string): ModelMessage => ({ role: 'user', text });
const result = (text: string, more: Partial<ToolResultContent> = {}): ModelMessage => ({
  role: 'tool',
  results: [{ callId: 'c', name: 'mcp__files__read_text_file', isError: false, text, ...more }],
});
const call: ModelMessage = {
  role: 'assistant',
  content: [{ type: 'tool-call', callId: 'c', name: 'mcp__files__read_text_file', args: { path: 'a.md' } }],
};

async function ask(
  messages: ModelMessage[],
  tools: OpenAITool[] | undefined = toolsOf('files', 'everything'),
  delayMs = 0,
) {
  const parts: StreamPart[] = [];
  const { signal } = new AbortController();
  for await (const part of createDemoModel({ delayMs }).stream({ modelId: 'demo', messages, tools, signal }))
    parts.push(part);
  const text = parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
  const calls = parts.flatMap((part) =>
    part.type === 'tool-call-end' ? [[part.name, JSON.parse(part.argsText)]] : [],
  );
  return { parts, text, calls, finish: parts.at(-1) };
}

describe('the demo model', () => {
  it('says what it is, calls the tool that fits, and finishes for the call', async () => {
    const { parts, text, calls, finish } = await ask([user('read welcome.md')]);
    expect(text).toContain('not an AI model');
    expect(text).toContain('read_text_file of files');
    expect(calls).toEqual([['mcp__files__read_text_file', { path: 'welcome.md' }]]);
    expect(finish).toEqual({ type: 'finish', reason: 'tool-calls' });
    expect(parts.map((part) => part.type).filter((type) => type !== 'text-delta')).toEqual([
      'text-end',
      'tool-call-start',
      'tool-call-delta',
      'tool-call-end',
      'finish',
    ]);
  });

  it('calls several tools with ids of their own', async () => {
    const { parts, calls } = await ask([user('read a.md and b.md')]);
    expect(calls).toHaveLength(2);
    const ids = parts.flatMap((part) => (part.type === 'tool-call-end' ? [part.callId] : []));
    expect(new Set(ids).size).toBe(2);
  });

  it('passes the result on as it came', async () => {
    const { text, calls, finish } = await ask([user('read a.md'), call, result('token 7f3a-日本\n```js\nx\n```')]);
    expect(text).toContain(
      'The tool **read_text_file of files** answered:\n\n````\ntoken 7f3a-日本\n```js\nx\n```\n````',
    );
    expect(text).toContain('not an AI model');
    expect(calls).toEqual([]);
    expect(finish).toEqual({ type: 'finish', reason: 'stop' });
  });

  it.each([
    ['an error', result('ENOENT: no such file', { isError: true }), 'ENOENT: no such file'],
    ['nothing', result(''), '(nothing)'],
    ['pictures', result('two', { images: [1, 2].map(() => ({ data: '', mimeType: 'image/png' })) }), '2 pictures'],
  ])('reports %s and calls nothing again', async (_, message, expected) => {
    const { text, calls, finish } = await ask([user('read a.md'), call, message]);
    expect(text).toContain(expected);
    expect(text.includes('gave no result')).toBe(message.role === 'tool' && message.results[0]!.isError);
    expect(calls).toEqual([]);
    expect(finish).toMatchObject({ reason: 'stop' });
  });

  it('says of a call that was declined just that, and nothing that is meant for models', async () => {
    const declined = result('The user declined this call. Do not repeat it.', { isError: true, declined: true });
    const { text } = await ask([user('read a.md'), call, declined]);
    expect(text).toBe('You declined **read_text_file of files**, so there is nothing to report.');
  });

  it('reports every result since the question, also when no tools are there any more', async () => {
    const messages = [
      user('read a.md'),
      call,
      result('old'),
      user('read b.md'),
      call,
      result('one'),
      call,
      result('two'),
    ];
    const { text } = await ask(messages, []);
    expect(text).toMatch(/one[\s\S]*two/);
    expect(text).not.toContain('old');
  });

  describe('steps that are put in an order', () => {
    const goal = user('Read a.md, then connect "scenario", then say good morning');
    const agent = toolsOf('agent');
    const everything = toolsOf('everything');

    it('are done one in each response, with the tools that are there by then, whatever came of the last one', async () => {
      const first = await ask([goal], agent);
      expect(first.calls).toEqual([['Read', { path: 'a.md' }]]);
      expect(first.text).toContain('step 1 of 3');
      const second = await ask([goal, call, result('ENOENT', { isError: true })], agent);
      expect(second.calls).toEqual([['connect_mcp', { name: 'scenario' }]]);
      const soFar = [goal, call, result('ENOENT', { isError: true }), call, result('Connected')];
      const third = await ask(soFar, [...agent, ...everything]);
      expect(third.calls).toEqual([['mcp__everything__echo', { message: 'good morning' }]]);
      const end = await ask([...soFar, call, result('Echo: good morning')], [...agent, ...everything]);
      expect(end.calls).toEqual([]);
      expect(end.text).toMatch(/gave no result[\s\S]*ENOENT[\s\S]*Connected[\s\S]*Echo: good morning/);
    });

    it('end where one fits no tool, with what was done and what was not', async () => {
      const { text, calls } = await ask([goal, call, result('one'), call, result('two')], agent);
      expect(calls).toEqual([]);
      expect(text).toMatch(/one[\s\S]*two[\s\S]*step 3 of 3: “say good morning”[\s\S]*No tool fits/);
    });

    it('end where one was declined', async () => {
      const { text, calls } = await ask([goal, call, result('No.', { isError: true, declined: true })], agent);
      expect(calls).toEqual([]);
      expect(text).toContain('You declined');
    });

    it('are no steps where nothing fits the first', async () => {
      const { calls } = await ask([user('Well; read a.md')], agent);
      expect(calls).toEqual([['Read', { path: 'a.md' }]]);
    });
  });

  it('cuts a long result and says so', async () => {
    const { text, parts } = await ask([user('read a.md'), call, result('word '.repeat(100_000))]);
    expect(text.length).toBeLessThan(8000);
    expect(text).toContain('494000 more characters');
    expect(parts.length).toBeLessThan(200);
  });

  it('explains itself and names tools when none fits', async () => {
    const { text, calls, finish } = await ask([user('Why is the sky blue?')]);
    expect(text).toContain('not an AI model');
    expect(text).toContain('**read_file of files**');
    expect(text).toMatch(/of everything/);
    expect(text).toMatch(/And \d+ more\./);
    expect(calls).toEqual([]);
    expect(finish).toMatchObject({ reason: 'stop' });
  });

  it('says where tools come from when there are none', async () => {
    expect((await ask([user('read a.md')], [])).text).toContain('Switch on a server');
    expect((await ask([])).text).toContain('not an AI model');
  });

  it('asks for what is missing rather than make it up', async () => {
    const { text, calls } = await ask([user('add 2')]);
    expect(text).toContain('`b`');
    expect(calls).toEqual([]);
  });

  it.each(['_-', '*.', 'write ', ' ', '"', '(@', 'and ', '日'])(
    'takes little time for thousands of %j',
    async (unit) => {
      // Of this process, since the machine may be busy with other things.
      const start = process.cpuUsage();
      await ask([user(unit.repeat(8000 / unit.length))]);
      expect((await ask([user(unit.repeat(4_000_000 / unit.length))])).text).toContain('too long');
      expect(process.cpuUsage(start).user / 1000).toBeLessThan(4000);
    },
    60_000,
  );

  it('shows a description without its formatting', async () => {
    const tool = toolNamed('mcp__x__y', '<img src=x onerror=alert(1)> [click](javascript:1) **bold**. More.');
    expect((await ask([user('hello')], [tool])).text).not.toMatch(/[<>]|\]\(/);
  });

  it('streams word by word and stops at once when told to', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    const seen: string[] = [];
    const stream = createDemoModel({ delayMs: 60_000 }).stream({
      modelId: 'demo',
      messages: [user('hello')],
      tools: [],
      signal: controller.signal,
    });
    await expect(async () => {
      for await (const part of stream) {
        if (part.type === 'text-delta') seen.push(part.text);
        setTimeout(() => controller.abort(reason), 5);
      }
    }).rejects.toBe(reason);
    expect(seen).toHaveLength(1);
    const aborted = createDemoModel().stream({ modelId: 'demo', messages: [], signal: AbortSignal.abort(reason) });
    await expect(aborted[Symbol.asyncIterator]().next()).rejects.toBe(reason);
  });
});
