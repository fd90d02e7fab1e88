import type OpenAI from 'openai';
import type {
  AssistantContent,
  ModelImage,
  ModelMessage,
  ModelOrigin,
  ToolResultContent,
} from '../../../ports/model.ts';
import { CALL_ID_RULES, wireCallId } from '../../wire/call-ids.ts';
import { dataUrl, sendableResult, sendableWords } from '../../wire/images.ts';
import { parseObject } from '../../wire/json.ts';
import { isSameOrigin } from '../../wire/origin.ts';
import { wireToolName } from '../../wire/tool-names.ts';
import { readResponsesData } from './provider-data.ts';

type Input = OpenAI.Responses.ResponseInputItem;
type Output = OpenAI.Responses.ResponseOutputItem;
type Call = Extract<AssistantContent, { type: 'tool-call' }>;

export interface ResponsesConversion {
  origin: ModelOrigin;
  images: ReadonlySet<string>;
}

/** History in the form of Responses: a flat list of items. */
export function convertMessages(messages: ModelMessage[], to: ResponsesConversion): Input[] {
  return messages.flatMap((message): Input[] => {
    if (message.role === 'user') return userInput(message, to.images);
    if (message.role === 'tool') return message.results.map((result) => toolOutput(result, to.images));
    return isSameOrigin(message.origin, to.origin) ? ownItems(message.content) : message.content.flatMap(foreignItem);
  });
}

function userInput(message: Extract<ModelMessage, { role: 'user' }>, accepted: ReadonlySet<string>): Input[] {
  const { text, images } = sendableWords(message, accepted);
  if (images.length === 0) return text.trim() === '' ? [] : [{ role: 'user', content: text }];
  return [{ role: 'user', content: inputParts(text, images) }];
}

const inputParts = (text: string, images: ModelImage[]) => [
  ...(text === '' ? [] : [{ type: 'input_text' as const, text }]),
  ...images.map((image) => ({ type: 'input_image' as const, image_url: dataUrl(image), detail: 'auto' as const })),
];

/**
 * Every item as it came. Reasoning without its encrypted content means nothing to a server that has stored nothing, so it is
 * left out; the items of that message then go without their ids, by which the server would miss it.
 */
function ownItems(content: AssistantContent[]): Input[] {
  const stripIds = content.some((part) => part.type === 'reasoning' && !isReplayable(part));
  const items = content.flatMap((part): Input[] => {
    const item = readResponsesData(part.providerData)?.item;
    if (part.type === 'reasoning') return item && isReplayable(part) ? [asInput(item)] : [];
    if (part.type === 'tool-call') return [ownCall(part, item, stripIds)];
    if (item?.type !== 'message' || stripIds) return foreignItem(part);
    return item.content.length === 0 ? [] : [asInput(item)];
  });
  // What the last reasoning led to may have said nothing.
  return items.slice(0, items.findLastIndex((item) => item.type !== 'reasoning') + 1);
}

/** Its arguments as the model wrote them, unless they were no JSON: then what was made of them. */
function ownCall(call: Call, item: Output | undefined, stripId: boolean): Input {
  if (item?.type !== 'function_call') return callItem(call);
  const { id, ...rest } = item;
  const written = parseObject(item.arguments) ? { arguments: item.arguments } : {};
  return { ...rest, ...callItem(call), ...written, ...(!stripId && { id }) };
}

function isReplayable(part: AssistantContent): boolean {
  const item = readResponsesData(part.providerData)?.item;
  return item !== undefined && (item.type !== 'reasoning' || Boolean(item.encrypted_content));
}

/** Output items are what the API takes as input; the SDK's types keep the two apart for items that we never get. */
const asInput = (item: Output): Input => item as Input;

function foreignItem(part: AssistantContent): Input[] {
  if (part.type === 'tool-call') return [callItem(part)];
  if (part.type === 'reasoning' || part.text.trim() === '') return [];
  return [{ role: 'assistant', content: part.text }];
}

function callItem(call: Call): OpenAI.Responses.ResponseFunctionToolCall {
  return {
    type: 'function_call',
    call_id: wireCallId(call.callId, CALL_ID_RULES.common),
    name: wireToolName(call.name),
    arguments: JSON.stringify(call.args),
  };
}

function toolOutput(result: ToolResultContent, accepted: ReadonlySet<string>): Input {
  const { text, images } = sendableResult(result, accepted);
  const said = result.isError ? `Error: ${text || 'the tool gave no reason.'}` : text;
  const call_id = wireCallId(result.callId, CALL_ID_RULES.common);
  if (images.length === 0) return { type: 'function_call_output', call_id, output: said };
  return {
    type: 'function_call_output',
    call_id,
    output: inputParts(said, images),
  };
}
