import type OpenAI from 'openai';
import type {
  AssistantContent,
  ModelImage,
  ModelMessage,
  ModelOrigin,
  ToolResultContent,
} from '../../../ports/model.ts';
import { type CallIdRule, wireCallId } from '../../wire/call-ids.ts';
import { dataUrl, sendableResult, sendableWords } from '../../wire/images.ts';
import { isSameOrigin } from '../../wire/origin.ts';
import { wireToolName } from '../../wire/tool-names.ts';
import { readChatData } from './provider-data.ts';

type Param = OpenAI.ChatCompletionMessageParam;
/** With the fields that compatible servers add. */
type AssistantParam = OpenAI.ChatCompletionAssistantMessageParam & {
  reasoning_content?: string;
  reasoning_details?: unknown[];
};

export interface ChatConversion {
  /** Who will read it: provider data goes back to no one else. */
  origin: ModelOrigin;
  echoReasoning: boolean;
  /** MIME types of pictures that the model takes. */
  images: ReadonlySet<string>;
  callIds: CallIdRule;
}

/** History in the form of Chat Completions. */
export function convertMessages(system: string | undefined, messages: ModelMessage[], to: ChatConversion): Param[] {
  const converted: Param[] = system?.trim() ? [{ role: 'system', content: system }] : [];
  for (const message of messages) {
    if (message.role === 'user') addUser(converted, userParts(message, to));
    else if (message.role === 'assistant') converted.push(...assistant(message.content, message.origin, to));
    else addResults(converted, message.results, to);
  }
  return converted;
}

function assistant(content: AssistantContent[], origin: ModelOrigin | undefined, to: ChatConversion): AssistantParam[] {
  const own = isSameOrigin(origin, to.origin);
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const reasoning = content.filter((part) => part.type === 'reasoning');
  const calls = content.filter((part) => part.type === 'tool-call');
  if (text.trim() === '' && calls.length === 0) return [];
  const param: AssistantParam = { role: 'assistant', content: text.trim() === '' ? null : text };
  if (calls.length > 0) {
    param.tool_calls = calls.map((call) => ({
      id: wireCallId(call.callId, to.callIds),
      type: 'function',
      function: { name: wireToolName(call.name), arguments: JSON.stringify(call.args) },
      ...(own ? extraOf(call.providerData) : {}),
    }));
  }
  if (to.echoReasoning) param.reasoning_content = own ? reasoning.map((part) => part.text).join('') : '';
  const details = own ? reasoning.flatMap((part) => readChatData(part.providerData)?.reasoning_details ?? []) : [];
  if (details.length > 0) param.reasoning_details = details;
  return [param];
}

function extraOf(providerData: unknown): { extra_content?: unknown } {
  const extra = readChatData(providerData)?.extra_content;
  return extra === undefined ? {} : { extra_content: extra };
}

/** A tool message holds text alone, so pictures follow all of them in a user message that says whose they are. */
function addResults(converted: Param[], results: ToolResultContent[], to: ChatConversion): void {
  const pictures: OpenAI.ChatCompletionContentPart[] = [];
  for (const result of results) {
    const { text, images } = sendableResult(result, to.images);
    const note = images.length > 0 && text === '' ? 'The result is shown in the next message.' : text;
    converted.push({
      role: 'tool',
      tool_call_id: wireCallId(result.callId, to.callIds),
      content: result.isError ? `Error: ${note || 'the tool gave no reason.'}` : note,
    });
    if (images.length === 0) continue;
    pictures.push({ type: 'text', text: `Images that ${wireToolName(result.name)} returned:` });
    pictures.push(...images.map(imagePart));
  }
  if (pictures.length > 0) addUser(converted, pictures);
}

function userParts(
  message: Extract<ModelMessage, { role: 'user' }>,
  to: ChatConversion,
): OpenAI.ChatCompletionContentPart[] {
  const { text, images } = sendableWords(message, to.images);
  return [{ type: 'text', text }, ...images.map(imagePart)];
}

const imagePart = (image: ModelImage): OpenAI.ChatCompletionContentPart => ({
  type: 'image_url',
  image_url: { url: dataUrl(image) },
});

/** Joined with a user message before it: the chat templates of many local models want roles to alternate. */
function addUser(converted: Param[], parts: OpenAI.ChatCompletionContentPart[]): void {
  const last = converted.at(-1);
  if (last?.role !== 'user') {
    converted.push({ role: 'user', content: simplest(parts) });
    return;
  }
  const before = typeof last.content === 'string' ? [{ type: 'text' as const, text: last.content }] : last.content;
  converted[converted.length - 1] = { role: 'user', content: simplest([...before, ...parts]) };
}

const simplest = (parts: OpenAI.ChatCompletionContentPart[]): string | OpenAI.ChatCompletionContentPart[] =>
  parts.every((part) => part.type === 'text') ? parts.map((part) => part.text).join('\n\n') : parts;
