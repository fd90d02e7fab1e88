import type { Message } from '@shared/contracts/message-types.ts';
import { expect } from 'vitest';
import type { ModelPort } from '../../ports/model.ts';
import type { ToolPort } from '../../ports/tools.ts';
import { runTurn, type TurnInput } from '../run-turn.ts';
import {
  allowAll,
  assistantRow,
  RecordingSink,
  ScriptedModel,
  ScriptedTools,
  textResult,
  toolParts,
  userRow,
} from './scripted.ts';

export const never = new Promise<never>(() => {});
/** A call of one of the tools of `srv`, by its plain name. */
export const call = (name: string, args: unknown = {}): [string, unknown] => [`mcp__srv__${name}`, args];
const echo = { echo: (args: Record<string, unknown>) => textResult(JSON.stringify(args)) };

/** A turn over rows of its own. */
export function turnWith<Model extends ModelPort, Tools extends ToolPort>(
  model: Model,
  tools: Tools,
  more: Partial<TurnInput> = {},
) {
  const controller = new AbortController();
  const rows: Message[] = more.rows ?? [userRow('hello')];
  const sink = new RecordingSink();
  let ticks = 0;
  const input: TurnInput = {
    conversationId: 'c',
    rows,
    nextRow: () => assistantRow(),
    model,
    modelId: 'm',
    tools,
    approvals: allowAll,
    systemPrompt: () => 'system',
    sink,
    signal: controller.signal,
    clock: { now: () => ++ticks },
    ...more,
  };
  return { input, rows, sink, model, tools, controller, run: () => runTurn(input) };
}

/** The same with a model that answers by script and a tool that echoes. */
export const setUp = (script: ConstructorParameters<typeof ScriptedModel>[0], more?: Partial<TurnInput>) =>
  turnWith(new ScriptedModel(script), new ScriptedTools(echo), more);
export type Setup = ReturnType<typeof setUp>;

export const last = (rows: Message[]) => rows.at(-1)!;

/** The next turn of the same conversation must be possible at once: the scripted model refuses an invalid history. */
export async function expectUsable({ rows }: Setup) {
  for (const part of rows.flatMap(toolParts)) expect(['done', 'failed', 'denied', 'cancelled']).toContain(part.state);
  for (const row of rows) expect(row.status).not.toBe('streaming');
  const next = setUp([], { rows: [...rows, userRow('go on')] });
  expect(await next.run()).toMatchObject({ outcome: 'complete' });
}
