import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { Message, ToolPart } from '@shared/contracts/message-types.ts';
import { AppError, toErrorInfo } from '../ports/errors.ts';
import type { Clock } from '../ports/infrastructure.ts';
import type { ApprovalPort, ToolPort, ToolSet } from '../ports/tools.ts';
import { abortable } from './abortable.ts';
import { closeTools } from './close-tools.ts';
import type { StepCall } from './step.ts';
import { DENIED_BY_POLICY, toolMessages } from './tool-messages.ts';
import type { TurnSink } from './turn-sink.ts';

export interface ExecuteContext {
  conversationId: string;
  row: Message;
  tools: ToolPort;
  toolSet: ToolSet;
  approvals: ApprovalPort;
  sink: TurnSink;
  clock: Clock;
  signal: AbortSignal;
}

/** A server may report progress a thousand times a second; nobody can read that. */
const PROGRESS_INTERVAL_MS = 100;

/**
 * Runs the calls of one response side by side (the model wrote them without sight of each other's results), each as soon as
 * it is approved. Resolves when every call is closed: done, failed, denied or cancelled. Never rejects: when the signal
 * aborts, the calls that are open are closed as cancelled at once, and a result that comes later is dropped.
 */
export async function executeCalls(calls: readonly StepCall[], context: ExecuteContext): Promise<void> {
  await Promise.all(calls.map((call) => executeCall(call, context)));
}

async function executeCall({ part, partIndex, parsed }: StepCall, context: ExecuteContext): Promise<void> {
  const { sink, row, clock, signal } = context;
  let progressTimer: NodeJS.Timeout | undefined;
  const close = (state: ToolPart['state'], more: Partial<ToolPart> = {}) => {
    clearTimeout(progressTimer);
    Object.assign(part, { state, ...more, endedAt: clock.now() });
    delete part.progress;
    sink.toolPart(row, partIndex);
  };

  if (signal.aborted) return close('cancelled');
  if (!parsed.ok) return close('failed', { error: { code: 'invalid-arguments', message: parsed.reason } });
  const tool = context.toolSet.find(part.wireName);
  if (!tool) {
    const message = toolMessages.unknownTool(part.wireName, closeTools(part.wireName, context.toolSet));
    return close('failed', { error: { code: 'unknown-tool', message } });
  }
  try {
    const args = context.toolSet.restore(tool, parsed.args);
    part.args = args;
    const decision = await approve(tool, args);
    if (decision === 'deny-always') {
      return close('denied', { error: { code: DENIED_BY_POLICY, message: toolMessages.deniedByPolicy } });
    }
    if (decision === 'deny') return close('denied');
    if (typeof decision === 'object') return close('denied', { error: decision.refused });
    signal.throwIfAborted();
    const response = await run(tool, args);
    const { isError, content, structuredContent, warnings, whole } = response;
    close(isError ? 'failed' : 'done', {
      result: { isError, content, structuredContent, warnings, ...(whole && { whole }) },
    });
  } catch (thrown) {
    if (signal.aborted) return close('cancelled');
    const error = toErrorInfo(thrown);
    // The pool was told to cancel this one call by someone else than this turn, such as the server's removal.
    close(thrown instanceof AppError && thrown.code === 'cancelled' ? 'cancelled' : 'failed', { error });
  }

  function approve(tool: MCPTool, args: Record<string, unknown>) {
    const { conversationId, approvals } = context;
    const asked = approvals.decide(
      { conversationId, callId: part.callId, tool, args },
      signal,
      () => {
        part.state = 'awaiting-approval';
        sink.toolPart(row, partIndex);
        void preview(tool, args);
      },
      (made) => {
        part.decisions = [...(part.decisions ?? []), made];
      },
    );
    return abortable(asked, signal);
  }

  /** Shows the person what the call would change. Where that can't be told the arguments are all there is. */
  async function preview(tool: MCPTool, args: Record<string, unknown>): Promise<void> {
    const display = await context.tools.preview?.(tool, args).catch(() => undefined);
    if (!display || part.state !== 'awaiting-approval') return;
    part.display = display;
    sink.toolPart(row, partIndex);
  }

  function run(tool: MCPTool, args: Record<string, unknown>) {
    // What it would change gives way to what it does.
    delete part.display;
    part.state = 'running';
    part.startedAt = clock.now();
    sink.toolPart(row, partIndex);
    const running = context.tools.call(tool, args, part.callId, {
      signal,
      onProgress: (progress) => {
        if (part.state !== 'running') return;
        part.progress = progress;
        progressTimer ??= setTimeout(() => {
          progressTimer = undefined;
          sink.toolPart(row, partIndex);
        }, PROGRESS_INTERVAL_MS);
      },
      onDisplay: (display) => {
        if (part.state !== 'running') return;
        part.display = display;
        sink.toolPart(row, partIndex);
      },
    });
    return abortable(running, signal);
  }
}
