import type { Message, MessagePart, ToolPart } from '@shared/contracts/message-types.ts';
import type { AssistantContent, ModelMessage, ModelOrigin, ToolResultContent } from '../ports/model.ts';
import type { ToolPort } from '../ports/tools.ts';
import { fitMessages } from './fit-messages.ts';
import { isSummary, viewConversation } from './summary-view.ts';
import { DENIED_BY_POLICY, textWithoutResult } from './tool-messages.ts';
import { writeAttachments } from './write-attachments.ts';

export interface ToModelOptions {
  /** Who will read it. What others wrote goes to them without their provider data and reasoning. */
  reader: ModelOrigin;
  /** What a tool is called now; undefined when it isn't there any more, and then the old name stands. */
  wireName: (serverId: string, toolName: string) => string | undefined;
  resultForModel: ToolPort['resultForModel'];
  /** Tokens that the reader can take; what is too long for it is cut. Default: unknown, and nothing is. */
  window?: number;
}

/** No row gets more of the window than this: whatever is kept as it is has to leave room for the rest. */
const ROW_SHARE = 0.4;

/**
 * Stored rows as a model reads them: the person's words, what models answered, and after each answer the results of its
 * calls. What a summary replaces stays out, and so do notices and errors, which are the app's words to the person. What comes
 * out still has to go through `repairHistory`.
 */
export function toModelMessages(rows: readonly Message[], options: ToModelOptions): ModelMessage[] {
  const view = viewConversation(rows, rows.findLast(isSummary), options.window);
  const messages = view.rows.flatMap((row) => messagesOfRow(row, options));
  return view.opening === undefined ? messages : [{ role: 'user', text: view.opening }, ...messages];
}

/** The messages of one row, at most two. */
export function messagesOfRow(row: Message, options: ToModelOptions): ModelMessage[] {
  const messages = row.role === 'user' ? [userMessage(row)] : assistantMessages(row, options);
  return options.window === undefined ? messages : fitMessages(messages, options.window * ROW_SHARE);
}

function userMessage(row: Message): ModelMessage {
  const text = row.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const attachments = row.parts.filter((part) => part.type === 'attachment');
  if (attachments.length === 0) return { role: 'user', text };
  const images = attachments.flatMap(({ image }) => (image ? [image] : []));
  return { role: 'user', text, attached: writeAttachments(attachments), ...(images.length > 0 && { images }) };
}

function assistantMessages(row: Message, options: ToModelOptions): ModelMessage[] {
  const content: AssistantContent[] = [];
  const results: ToolResultContent[] = [];
  const isForeign = row.model?.providerId !== options.reader.providerId || row.model.modelId !== options.reader.modelId;
  const unfinished = unfinishedReasoning(row);
  for (const part of row.parts) {
    const providerData = 'providerData' in part && !isForeign ? part.providerData : undefined;
    if (part.type === 'text') content.push(withData({ type: 'text', text: part.text }, providerData));
    if (part.type === 'reasoning' && !isForeign && part !== unfinished) {
      content.push(withData({ type: 'reasoning', text: part.text }, providerData));
    }
    if (part.type === 'tool') {
      const name = nameOf(part, options);
      content.push(withData({ type: 'tool-call', callId: part.callId, name, args: part.args ?? {} }, providerData));
      results.push(resultOf(part, name, options));
    }
  }
  const message: ModelMessage = { role: 'assistant', origin: row.model, content };
  return results.length > 0 ? [message, { role: 'tool', results }] : [message];
}

/** Leaves the property out when there is nothing in it, since some compare histories to find a cached prefix. */
const withData = (content: AssistantContent, providerData: unknown): AssistantContent =>
  providerData === undefined ? content : { ...content, providerData };

/** Reasoning that was still being written when the response broke off: its signature never came. */
function unfinishedReasoning(row: Message): MessagePart | undefined {
  if (row.status === 'complete') return undefined;
  const last = row.parts.findLast((part) => part.type !== 'notice' && part.type !== 'error');
  return last?.type === 'reasoning' && last.providerData === undefined ? last : undefined;
}

const nameOf = (part: ToolPart, { wireName }: ToModelOptions): string =>
  (part.serverId !== undefined && part.toolName !== undefined && wireName(part.serverId, part.toolName)) ||
  part.wireName;

function resultOf(part: ToolPart, name: string, { resultForModel }: ToModelOptions): ToolResultContent {
  const { callId } = part;
  if (!part.result) {
    // What a layer of safety has refused, the person has not declined.
    const declined = part.state === 'denied' && (!part.error || part.error.code === DENIED_BY_POLICY);
    return { callId, name, isError: true, text: textWithoutResult(part), ...(declined && { declined }) };
  }
  const { text, images } = resultForModel(part.result);
  return { callId, name, isError: part.result.isError, text, ...(images.length > 0 && { images }) };
}
