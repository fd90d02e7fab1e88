import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelMessage, ModelPort, ModelRequest, StreamPart, ToolResultContent } from '../../ports/model.ts';
import type { OpenAITool } from '../../ports/tool-formats.ts';
import { DEMO_PROVIDER_ID } from '../presets.ts';
import { type Choice, chooseTools, displayName, stepsOf } from './choose-tool.ts';
import { announceCalls, explainMissing, explainNoTool, explainStop, explainTooLong, reportResults } from './wording.ts';

export interface DemoModelOptions {
  /** Pause between two pieces of text in milliseconds. Default 12. */
  delayMs?: number;
}

/** The rules look at a message many times over; nobody writes this much to try a demo. In characters. */
const LONGEST_QUESTION = 8000;
/** A long answer comes in bigger pieces, so that it takes no longer than this many pauses. */
const MOST_PIECES = 120;

/**
 * The offline demo: rules, no AI. It chooses the tool whose name and description fit the last message best, fills its
 * arguments from the message, and reports what the tool answered. Steps that the message puts in an order are done one in
 * each response, with the tools that are there by then, whether or not the ones before went well. It says of itself what it
 * is, knows nothing by heart, and does each step once, so it can't loop.
 */
export function createDemoModel({ delayMs = 12 }: DemoModelOptions = {}): ModelPort {
  return {
    providerId: DEMO_PROVIDER_ID,
    toolFormat: 'openai',
    async *stream(request) {
      request.signal.throwIfAborted();
      yield* answer(request, delayMs);
    },
  };
}

async function* answer(request: ModelRequest, delayMs: number): AsyncGenerator<StreamPart> {
  const { text, calls } = decide(request);
  yield* write(text, delayMs, request.signal);
  for (const { tool, args } of calls) {
    const call = { callId: `demo_${randomUUID()}`, name: tool.function.name };
    const argsText = JSON.stringify(args);
    yield { type: 'tool-call-start', ...call };
    yield { type: 'tool-call-delta', callId: call.callId, argsText };
    yield { type: 'tool-call-end', ...call, argsText };
  }
  yield { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop' };
}

function decide({ messages, tools }: ModelRequest): { text: string; calls: Choice[] } {
  const { question, rounds } = sinceLastQuestion(messages);
  const results = rounds.flat();
  if (question.length > LONGEST_QUESTION) return { text: explainTooLong(LONGEST_QUESTION), calls: [] };
  const available = (tools ?? []) as OpenAITool[];
  const steps = orderedSteps(available, question);
  const step = steps[rounds.length];
  if (step === undefined || results.some(({ declined }) => declined))
    return { text: reportResults(results), calls: [] };
  const place = { number: rounds.length + 1, of: steps.length };
  const choices = chooseTools(available, step);
  const unfilled = choices.find((choice) => choice.missing.length > 0);
  if (unfilled || choices.length === 0) {
    const reason = unfilled ? explainMissing(unfilled) : explainNoTool(available);
    return { text: results.length > 0 ? explainStop({ place, step, reason, results }) : reason, calls: [] };
  }
  const names = choices.map(({ tool }) => displayName(tool.function.name));
  return { text: announceCalls(names, place), calls: choices };
}

/** Where nothing fits the first of them, the message as a whole: it only looked like steps. */
function orderedSteps(tools: readonly OpenAITool[], question: string): string[] {
  const steps = stepsOf(question);
  return steps.length > 1 && chooseTools(tools, steps[0]!).length > 0 ? steps : [question];
}

/** The last message of the person, and the results of each response with calls since then. */
function sinceLastQuestion(messages: readonly ModelMessage[]): { question: string; rounds: ToolResultContent[][] } {
  const last = messages.findLastIndex((message) => message.role === 'user');
  const question = messages[last];
  const rounds = messages.slice(last + 1).flatMap((message) => (message.role === 'tool' ? [message.results] : []));
  return { question: question?.role === 'user' ? question.text : '', rounds };
}

/** Word by word. Throws the signal's reason when it aborts. */
async function* write(text: string, delayMs: number, signal: AbortSignal): AsyncGenerator<StreamPart> {
  const words = text.match(/\s*\S+\s*/g) ?? [text];
  const perPiece = Math.ceil(words.length / MOST_PIECES);
  for (let at = 0; at < words.length; at += perPiece) {
    yield { type: 'text-delta', text: words.slice(at, at + perPiece).join('') };
    if (delayMs > 0) await pause(delayMs, signal);
    signal.throwIfAborted();
  }
  yield { type: 'text-end' };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
