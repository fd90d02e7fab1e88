import type { Message, ToolPart } from '@shared/contracts/message-types.ts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ModelError } from '../ports/errors.ts';
import type { ModelRequest } from '../ports/model.ts';
import { seeded } from './__fixtures__/random.ts';
import { randomRows, words } from './__fixtures__/random-rows.ts';
import {
  assistantRow,
  callsTools,
  partsOf,
  type Script,
  ScriptedTools,
  says,
  textResult,
  toolParts,
  userRow,
} from './__fixtures__/scripted.ts';
import { never, turnWith } from './__fixtures__/turn.ts';
import { notes, sizeOf, WindowedModel, type WindowedModelOptions } from './__fixtures__/windowed-model.ts';
import { COMPACT_AT } from './compaction.ts';
import type { TurnInput } from './run-turn.ts';
import { SUMMARY_LIMIT_MS } from './summarise.ts';

const read = (...files: string[]): Script =>
  callsTools(...files.map((file): [string, unknown] => ['mcp__srv__read', { file }]));

function setUp(
  options: WindowedModelOptions,
  script: (request: ModelRequest, index: number) => Script,
  more: Partial<TurnInput> = {},
) {
  const tools = new ScriptedTools({ read: ({ file }) => textResult(words(`Content of ${String(file)}:`)) });
  const rows = [userRow('The goal: read everything')];
  return turnWith(new WindowedModel(options, script), tools, { rows, maxRounds: 50, ...more });
}

const summaryRows = (rows: readonly Message[]) => rows.filter((row) => partsOf(row, 'summary').length > 0);
const summaryOf = (row: Message | undefined) => partsOf(row, 'summary')[0]!;
const firstText = (request: ModelRequest | undefined): string => {
  const message = request?.messages[0];
  return message?.role === 'user' ? message.text : '';
};
const resultsIn = ({ messages }: ModelRequest) =>
  messages.flatMap((message) => (message.role === 'tool' ? message.results.map(({ text }) => text) : []));

/** Reads `count` files, one each round. */
const reader = (count: number) => (_request: ModelRequest, index: number) =>
  index < count ? read(`f${index}`) : says('All read.');

describe('compaction', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each<[string, WindowedModelOptions['counts']]>([
    ['counts', (tokens) => tokens],
    ['does not count', false],
    ['counts nothing', () => 0],
    ['counts far too few', (tokens) => tokens / 50],
    ['says of each request that it has twenty', () => 20],
    ['counts far too many', (tokens) => tokens * 20],
    ['says of each request that it has a million', () => 1_000_000],
  ])('goes on when a run outgrows the window, twice and more, with a provider that %s', async (_name, counts) => {
    const turn = setUp({ window: 3000, counts }, reader(20));
    expect(await turn.run()).toMatchObject({ outcome: 'complete' });
    expect(turn.model.refused).toBe(0);
    const summaries = summaryRows(turn.rows);
    expect(summaries.length).toBeGreaterThanOrEqual(2);
    expect(summaries.length).toBeLessThanOrEqual(4);
    for (const [index, row] of summaries.entries()) {
      expect(row).toMatchObject({ role: 'assistant', status: 'complete' });
      expect(summaryOf(row).text).toBe(`Notes ${index + 1}.`);
      expect(summaryOf(row).tokensBefore).toBeGreaterThanOrEqual(3000 * COMPACT_AT);
      // Newer rows are never in it.
      expect(summaryOf(row).rows).toBeLessThan(turn.rows.indexOf(row));
      if (index > 0) expect(summaryOf(row).rows).toBeGreaterThan(summaryOf(summaries[index - 1]).rows);
    }
    // Every round is still there to be read, and none was lost or made twice.
    expect(turn.rows.flatMap(toolParts).map(({ args }) => args)).toEqual(
      Array.from({ length: 20 }, (_, index) => ({ file: `f${index}` })),
    );
    const last = turn.model.requests.at(-1)!;
    expect(firstText(last)).toContain('The goal: read everything');
    expect(firstText(last)).toContain(`Notes ${summaries.length}.`);
    expect(firstText(last)).not.toContain(`Notes ${summaries.length - 1}.`);
    expect(resultsIn(last).at(-1)).toContain('Content of f19');
    // The later summaries are written from the earlier ones.
    expect(firstText(turn.model.summaries[1])).toContain('Notes 1.');
  });

  it('asks for a summary without tools, and shows that it does', async () => {
    const turn = setUp({ window: 3000 }, reader(9));
    await turn.run();
    const [request] = turn.model.summaries;
    expect(request!.tools).toBeUndefined();
    expect(request!.messages).toHaveLength(1);
    expect(firstText(request)).toContain('USER: The goal: read everything');
    expect(firstText(request)).toContain('CALL of mcp__srv__read: {"file":"f0"}');
    expect(firstText(request)).toContain('RESULT of mcp__srv__read: Content of f0:');
    const begun = turn.sink.log.indexOf('summarising');
    expect(turn.sink.log.slice(begun - 1, begun + 4)).toEqual([
      'row streaming',
      'summarising',
      'summarised',
      'row complete',
      'row streaming',
    ]);
    expect(turn.sink.stored.get(summaryRows(turn.rows)[0]!.id)).toEqual(summaryRows(turn.rows)[0]);
  });

  it('keeps the newest rows as they were, with what only their model reads', async () => {
    const signed: Script = [
      { type: 'reasoning-delta', text: 'Hm.' },
      { type: 'reasoning-end', providerData: { signature: 'abc' } },
    ];
    const turn = setUp({ window: 3000 }, (_request, index) =>
      index < 9 ? [...signed, ...read(`f${index}`)] : says('All read.'),
    );
    await turn.run();
    expect(summaryRows(turn.rows).length).toBeGreaterThan(0);
    const last = turn.model.requests.at(-1)!;
    const answers = last.messages.filter((message) => message.role === 'assistant');
    expect(answers.length).toBeGreaterThan(1);
    for (const answer of answers) {
      expect(answer.content[0]).toEqual({ type: 'reasoning', text: 'Hm.', providerData: { signature: 'abc' } });
    }
    expect(JSON.stringify(turn.model.summaries)).not.toContain('abc');
  });

  it('keeps calls that were made side by side in one piece', async () => {
    const turn = setUp({ window: 4000 }, (_request, index) =>
      index < 6 ? read(`a${index}`, `b${index}`, `c${index}`) : says('ok'),
    );
    expect(await turn.run()).toMatchObject({ outcome: 'complete' });
    expect(summaryRows(turn.rows).length).toBeGreaterThan(0);
    for (const request of turn.model.requests) expect(resultsIn(request).length % 3).toBe(0);
  });

  it('keeps what the person said last and the list of open work beside the summary', async () => {
    const todo: ToolPart = {
      type: 'tool',
      callId: 't1',
      wireName: 'TodoWrite',
      args: {},
      state: 'done',
      result: textResult('ok'),
      display: {
        kind: 'todo',
        items: [
          { text: 'read', status: 'done' },
          { text: 'write', status: 'in-progress' },
          { text: 'test', status: 'pending' },
        ],
      },
    };
    const rows = [
      userRow('The goal'),
      assistantRow([{ type: 'text', text: words('Old answer') }], { status: 'complete' }),
      userRow('Only the blue ones'),
      assistantRow([todo], { status: 'complete' }),
    ];
    const turn = setUp({ window: 3000 }, reader(9), { rows });
    await turn.run();
    const text = firstText(turn.model.requests.at(-1));
    for (const part of ['The goal', 'Only the blue ones', '- [x] read', '- [~] write', '- [ ] test']) {
      expect(text).toContain(part);
    }
  });

  it('begins the next turn at the summary, with interrupted rows among what is kept', async () => {
    const first = setUp({ window: 3000 }, reader(9));
    await first.run();
    const count = summaryRows(first.rows).length;
    const call: ToolPart = { type: 'tool', callId: 'x', wireName: 'mcp__srv__read', args: null, state: 'running' };
    const interrupted = assistantRow([{ type: 'text', text: 'I read' }, call], { status: 'interrupted' });
    const rows = structuredClone([...first.rows, interrupted, userRow('And now?')]);
    const next = setUp({ window: 3000 }, () => says('Done.'), { rows });
    expect(await next.run()).toMatchObject({ outcome: 'complete' });
    expect(firstText(next.model.requests[0])).toContain(`Notes ${count}.`);
    expect(resultsIn(next.model.requests[0]!).at(-1)).toContain('not known');
    expect(next.model.requests[0]!.messages.at(-1)).toEqual({ role: 'user', text: 'And now?' });
  });

  describe('a model whose window is not known, or smaller than it says', () => {
    it('compacts when it refuses, in the middle of a turn, and asks again', async () => {
      const turn = setUp({ window: 3000, told: false }, reader(15));
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(turn.model.refused).toBeGreaterThan(0);
      expect(summaryRows(turn.rows).length).toBeGreaterThan(0);
      expect(turn.rows.flatMap((row) => partsOf(row, 'error'))).toEqual([]);
      expect(turn.rows.flatMap(toolParts)).toHaveLength(15);
    });

    it('moves what was said of the refused request to the answer', async () => {
      const tools = new ScriptedTools({ read: () => textResult(words('x')) });
      tools.late = ['slow'];
      const rows = [
        userRow('goal'),
        ...Array.from({ length: 12 }, (_, index) =>
          assistantRow([{ type: 'text', text: words(`Part ${index}`) }], { status: 'complete' }),
        ),
        userRow('Go on'),
      ];
      const turn = setUp({ window: 3000, told: false }, () => says('ok'), { rows, tools });
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(turn.rows.at(-2)!.parts.map(({ type }) => type)).toEqual(['summary']);
      expect(turn.rows.at(-1)!.parts).toMatchObject([{ notice: 'servers-late' }, { text: 'ok' }]);
    });

    it('sends one message that is larger than the window cut', async () => {
      const turn = setUp({ window: 3000, told: false }, () => says('ok'), {
        rows: [userRow(words('Long').repeat(60))],
      });
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(firstText(turn.model.requests[0])).toMatch(/characters left out/);
      expect(turn.model.summaries).toEqual([]);
      expect(turn.rows).toHaveLength(2);
      expect(partsOf(turn.rows[0], 'text')[0]!.text).not.toContain('left out');
    });

    it('gives up with the model’s own words when nothing can be made smaller', async () => {
      const turn = setUp({ window: 30, told: false }, () => says('ok'), {
        rows: [userRow('Hi')],
        systemPrompt: () => words('system'),
      });
      expect(await turn.run()).toMatchObject({ outcome: 'failed' });
      expect(turn.rows.at(-1)).toMatchObject({ status: 'failed', parts: [{ error: { code: 'context-too-long' } }] });
      expect(turn.model.refused).toBe(1);
    });

    it('does not ask again once something of the answer has come', async () => {
      const turn = setUp({ window: 3000 }, () => [
        { type: 'text-delta', text: 'Half' },
        new ModelError('context-too-long', 'Too long.'),
      ]);
      expect(await turn.run()).toMatchObject({ outcome: 'failed' });
      expect(turn.model.requests).toHaveLength(1);
    });
  });

  it('gives the model results that are larger than its window cut, each a fair share', async () => {
    const turn = setUp(
      { window: 3000 },
      (_request, index) => (index === 0 ? read('huge', 'huge too', 'small') : says('ok')),
      {
        tools: new ScriptedTools({
          read: ({ file }) => textResult(file === 'small' ? 'Short.' : words(String(file)).repeat(50)),
        }),
      },
    );
    expect(await turn.run()).toMatchObject({ outcome: 'complete' });
    expect(turn.model.refused).toBe(0);
    const [first, second, third] = resultsIn(turn.model.requests[1]!);
    expect(first).toMatch(/characters left out/);
    expect(Math.abs(first!.length - second!.length)).toBeLessThan(50);
    expect(third).toBe('Short.');
    // The person still has all of it.
    expect(JSON.stringify(toolParts(turn.rows[1])[0]!.result)).not.toContain('left out');
  });

  it('does not compact again and again where the rest fills the window', async () => {
    const turn = setUp({ window: 3000 }, (_request, index) => (index < 8 ? read('tiny') : says('ok')), {
      tools: new ScriptedTools({ read: () => textResult('1') }),
      systemPrompt: () => words('system').repeat(10),
    });
    await turn.run();
    expect(summaryRows(turn.rows).length).toBeLessThanOrEqual(2);
  });

  describe('a summary that is not written', () => {
    it('changes nothing when the person stops', async () => {
      const turn = setUp({ window: 3000, summary: () => [{ type: 'text-delta', text: 'Half of' }, never] }, reader(20));
      const running = turn.run();
      await vi.waitFor(() => expect(turn.model.summaries).toHaveLength(1), { timeout: 20_000 });
      turn.controller.abort();
      expect(await running).toMatchObject({ outcome: 'stopped' });
      expect(summaryRows(turn.rows)).toEqual([]);
      expect(turn.rows.at(-1)).toMatchObject({ status: 'stopped', parts: [] });
      expect(turn.sink.log.filter((entry) => entry.startsWith('summar'))).toEqual(['summarising', 'summarised']);
      const next = setUp({ window: 3000 }, () => says('ok'), { rows: [...turn.rows, userRow('go on')] });
      expect(await next.run()).toMatchObject({ outcome: 'complete' });
    });

    it('ends the turn where the model can’t be asked at all, with everything as it was', async () => {
      const refusal = new ModelError('quota', 'No quota left.', { hint: 'Check the plan.' });
      const turn = setUp({ window: 3000, summary: () => [refusal] }, reader(20));
      expect(await turn.run()).toMatchObject({ outcome: 'failed' });
      expect(turn.rows.at(-1)!.parts).toEqual([{ type: 'error', error: refusal.toInfo() }]);
      expect(summaryRows(turn.rows)).toEqual([]);
    });

    it.each<[string, Script, string]>([
      ['is refused', [new ModelError('refused-request', 'Not that.')], 'Not that.'],
      ['comes out empty', notes(' '), 'empty answer'],
      ['is filtered', says('No', 'content-filter'), 'filter'],
      [
        'breaks off',
        [{ type: 'text-delta', text: 'Ha' }, new ModelError('broken-stream', 'Broken off.')],
        'Broken off.',
      ],
    ])('goes on with the beginnings of the messages when it %s', async (_name, script, reason) => {
      const turn = setUp({ window: 3000, summary: () => script }, reader(20));
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      const [row] = summaryRows(turn.rows);
      expect(summaryOf(row).text).toContain('No summary could be written');
      expect(summaryOf(row).text).toContain('The goal');
      expect(partsOf(row, 'error')[0]!.error).toMatchObject({
        code: 'not-summarised',
        message: expect.stringContaining(reason),
      });
      expect(turn.model.refused).toBe(0);
    });

    it('waits for a model that is overloaded, and still says that it summarises', async () => {
      vi.useFakeTimers();
      const busy = new ModelError('overloaded', 'Busy.', { retryable: true });
      const turn = setUp({ window: 3000, summary: (_r, index) => (index === 0 ? [busy] : notes('Late.')) }, reader(9));
      const running = turn.run();
      await vi.runAllTimersAsync();
      expect(await running).toMatchObject({ outcome: 'complete' });
      expect(turn.sink.waits).toMatchObject([{ attempt: 2 }, null]);
      expect(turn.sink.log.filter((entry) => entry.startsWith('summar'))).toEqual([
        'summarising',
        'summarising',
        'summarised',
      ]);
      expect(summaryOf(summaryRows(turn.rows)[0]).text).toBe('Late.');
    });

    it('waits no longer than the limit', async () => {
      vi.useFakeTimers();
      const turn = setUp({ window: 3000, summary: () => [never] }, reader(9));
      const running = turn.run();
      await vi.waitFor(() => expect(turn.model.summaries).toHaveLength(1));
      await vi.advanceTimersByTimeAsync(SUMMARY_LIMIT_MS + 1);
      await vi.runAllTimersAsync();
      expect(await running).toMatchObject({ outcome: 'complete' });
      expect(partsOf(summaryRows(turn.rows)[0], 'error')[0]!.error.message).toContain('too long');
    });

    it('takes less of the conversation when the request for it is too long', async () => {
      const rows = [
        userRow('goal'),
        ...Array.from({ length: 60 }, (_, index) =>
          assistantRow([{ type: 'text', text: words(`Part ${index}`) }], { status: 'complete' }),
        ),
        userRow('Go on'),
      ];
      const turn = setUp({ window: 3000, told: false }, () => says('ok'), { rows });
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(turn.model.refused).toBeGreaterThan(1);
      expect(summaryOf(summaryRows(turn.rows)[0]).text).toBe('Notes 1.');
    });

    it('cuts one that would not end', async () => {
      const endless: Script = Array.from({ length: 500 }, () => ({
        type: 'text-delta',
        text: 'and so on '.repeat(10),
      }));
      const turn = setUp({ window: 3000, summary: () => endless }, reader(9));
      expect(await turn.run()).toMatchObject({ outcome: 'complete' });
      expect(summaryOf(summaryRows(turn.rows)[0]).text.length).toBeLessThan(3000);
    });
  });

  it('gives every call one result and keeps to the window, whatever the history', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = seeded(seed);
      const rows = randomRows(random);
      const window = 2500 + Math.floor(random() * 6000);
      const told = random() < 0.7;
      const rounds = 1 + Math.floor(random() * 12);
      const before = structuredClone(rows);
      const turn = setUp({ window, told, ...(random() >= 0.7 && { counts: false }) }, reader(rounds), { rows });
      // The model refuses, as an error that is none of the length, a history in which a call has no result.
      expect(await turn.run(), `seed ${seed}`).toMatchObject({ outcome: 'complete' });
      expect(turn.model.requests, `seed ${seed}`).toHaveLength(rounds + 1);
      for (const request of turn.model.requests) expect(sizeOf(request)).toBeLessThanOrEqual(window);
      expect(turn.rows.slice(0, before.length), `seed ${seed}`).toEqual(before);
      for (const row of summaryRows(turn.rows)) expect(summaryOf(row).rows).toBeLessThanOrEqual(turn.rows.indexOf(row));
    }
  });
});
