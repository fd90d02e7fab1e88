import type { ToolDecision, ToolDisplay } from '@shared/contracts/message-types.ts';
import { describe, expect, it } from 'vitest';
import type { ApprovalPort } from '../ports/tools.ts';
import {
  allowAll,
  assistantRow,
  callsTools,
  RecordingSink,
  ScriptedModel,
  ScriptedTools,
  says,
  textResult,
  toolParts,
  userRow,
} from './__fixtures__/scripted.ts';
import { runTurn } from './run-turn.ts';

async function run(tools: ScriptedTools, approvals: ApprovalPort, calls: [string, unknown?][]) {
  const rows = [userRow('go')];
  const sink = new RecordingSink();
  const model = new ScriptedModel([callsTools(...calls), says('done')]);
  await runTurn({
    conversationId: 'c',
    rows,
    nextRow: () => assistantRow(),
    model,
    modelId: 'm',
    tools,
    approvals,
    systemPrompt: () => undefined,
    sink,
    signal: new AbortController().signal,
    clock: Date,
  });
  return { parts: toolParts(rows[1]), model, sink };
}
const decision = (layer: ToolDecision['layer'], outcome: ToolDecision['outcome']): ToolDecision => ({
  layer,
  outcome,
  reason: `${layer} says so`,
});

describe('executeCalls for an agent', () => {
  it('keeps what a call shows beside its result, and nothing that comes too late', async () => {
    const show = (text: string): ToolDisplay => ({ kind: 'todo', items: [{ text, status: 'pending' }] });
    let late: ((display: ToolDisplay) => void) | undefined;
    const tools = new ScriptedTools({
      list: (_args, { onDisplay }) => {
        onDisplay?.(show('first'));
        onDisplay?.(show('second'));
        late = onDisplay;
        return textResult('ok');
      },
    });
    const { parts, sink } = await run(tools, allowAll, [['mcp__srv__list']]);
    late?.(show('late'));
    expect(parts).toMatchObject([{ state: 'done', display: show('second') }]);
    expect(sink.log.filter((entry) => entry === 'mcp__srv__list running')).toHaveLength(3);
  });

  it('shows the person who is asked what a call would change: kept where it is denied, gone where it runs', async () => {
    const approvals: ApprovalPort = {
      decide: async ({ args }, _signal, onAsk) => {
        onAsk();
        // After every promise that is settled by now.
        await new Promise(setImmediate);
        return args.path === 'denied' ? 'deny' : 'allow-once';
      },
    };
    const tools = new ScriptedTools({ write: () => textResult('ok') });
    const change = (path: unknown) =>
      ({ kind: 'diff', path: String(path), diff: '@@', added: 1, removed: 0 }) satisfies ToolDisplay;
    tools.preview = async (_tool, { path }) => {
      if (path === 'unreadable') throw new Error('It can’t be read.');
      return change(path);
    };
    const { parts, sink } = await run(tools, approvals, [
      ['mcp__srv__write', { path: 'denied' }],
      ['mcp__srv__write', { path: 'allowed' }],
      ['mcp__srv__write', { path: 'unreadable' }],
    ]);
    expect(parts.map(({ state, display }) => [state, display])).toEqual([
      ['denied', change('denied')],
      ['done', undefined],
      ['done', undefined],
    ]);
    // Three that ask, and two that were shown anew with what they would change.
    expect(sink.log.filter((entry) => entry === 'mcp__srv__write awaiting-approval')).toHaveLength(5);
  });

  it('keeps the decisions about each call in their order', async () => {
    const approvals: ApprovalPort = {
      decide: async ({ args }, _signal, onAsk, onDecision) => {
        onDecision?.(decision('firewall', 'allow'));
        onDecision?.(decision('permission', 'ask'));
        onAsk();
        onDecision?.(decision('person', args.n === 1 ? 'allow' : 'deny'));
        return args.n === 1 ? 'allow-once' : 'deny';
      },
    };
    const tools = new ScriptedTools({ echo: () => textResult('ok') });
    const { parts } = await run(tools, approvals, [
      ['mcp__srv__echo', { n: 1 }],
      ['mcp__srv__echo', { n: 2 }],
    ]);
    expect(
      parts.map(({ state, decisions }) => [state, decisions?.map((one) => `${one.layer} ${one.outcome}`)]),
    ).toEqual([
      ['done', ['firewall allow', 'permission ask', 'person allow']],
      ['denied', ['firewall allow', 'permission ask', 'person deny']],
    ]);
  });

  it('closes a refused call as denied, and lets the model read why', async () => {
    const message = '[firewall] Blocked: this is a private key.';
    const approvals: ApprovalPort = {
      decide: async (_request, _signal, _onAsk, onDecision) => {
        onDecision?.(decision('firewall', 'deny'));
        return { refused: { code: 'firewall', message } };
      },
    };
    const tools = new ScriptedTools({ read: () => textResult('secret') });
    const { parts, model } = await run(tools, approvals, [['mcp__srv__read']]);
    expect(tools.calls).toEqual([]);
    expect(parts).toMatchObject([
      { state: 'denied', error: { code: 'firewall', message }, decisions: [decision('firewall', 'deny')] },
    ]);
    expect(parts[0]).not.toHaveProperty('startedAt');
    const results = model.requests[1]!.messages.flatMap((sent) => (sent.role === 'tool' ? sent.results : []));
    // It isn't told that the person had declined.
    expect(results).toEqual([{ callId: 'call_0', name: 'mcp__srv__read', isError: true, text: message }]);
  });

  it('tells the model of tools that it may have meant', async () => {
    const tools = new ScriptedTools({ read_file: () => textResult('ok') });
    const parameters = { type: 'object' as const, properties: {}, required: [] };
    const prepare = tools.prepare.bind(tools);
    tools.prepare = async () => ({
      ...(await prepare()),
      tools: [{ type: 'function', function: { name: 'mcp__srv__read_file', description: '', parameters } }],
    });
    const { parts, model } = await run(tools, allowAll, [['functions.readFile'], ['send_mail'], ['']]);
    expect(tools.calls).toEqual([]);
    expect(parts.map(({ state, error }) => [state, error?.code])).toEqual(Array(3).fill(['failed', 'unknown-tool']));
    expect(model.requests[1]!.messages.at(-1)).toMatchObject({
      results: [
        { isError: true, text: expect.stringContaining('Did you mean "mcp__srv__read_file"?') },
        { isError: true, text: expect.not.stringContaining('Did you mean') },
        { isError: true, text: expect.stringContaining('no tool named ""') },
      ],
    });
  });

  it('says once which tools were left out for their name', async () => {
    const tools = new ScriptedTools({ echo: () => textResult('ok') });
    const prepare = tools.prepare.bind(tools);
    tools.prepare = async () => ({ ...(await prepare()), collisions: ['b: x (kept: a: x)', 'c: y (kept: a: y)'] });
    const { sink } = await run(tools, allowAll, [['mcp__srv__echo']]);
    const notices = [...sink.stored.values()].flatMap((row) => row.parts.filter(({ type }) => type === 'notice'));
    expect(notices).toEqual([
      { type: 'notice', notice: 'tools-collided', values: { count: 2, tools: 'b: x (kept: a: x); c: y (kept: a: y)' } },
    ]);
  });
});
