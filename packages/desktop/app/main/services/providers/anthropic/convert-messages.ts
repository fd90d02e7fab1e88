import type Anthropic from '@anthropic-ai/sdk';
import type { AssistantContent, ModelImage, ModelMessage, ModelOrigin, ToolResultContent } from '../../ports/model.ts';
import { type CallIdRule, wireCallId } from '../wire/call-ids.ts';
import { sendableResult, sendableWords } from '../wire/images.ts';
import { isSameOrigin } from '../wire/origin.ts';
import { wireToolName } from '../wire/tool-names.ts';
import { readAnthropicData } from './provider-data.ts';

type Block = Anthropic.ContentBlockParam;

const CALL_IDS: CallIdRule = { legal: /^[\w-]{1,128}$/, length: 24 };

export interface AnthropicConversion {
  origin: ModelOrigin;
  images: ReadonlySet<string>;
}

/**
 * History in the form of Anthropic: roles in turn, the results of a message's calls at the beginning of the one user message
 * after it.
 */
export function convertMessages(messages: ModelMessage[], to: AnthropicConversion): Anthropic.MessageParam[] {
  const converted: { role: 'user' | 'assistant'; content: Block[] }[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message, to);
    if (content.length === 0) continue;
    const last = converted.at(-1);
    if (last?.role === role) last.content.push(...content);
    else converted.push({ role, content });
  }
  trimLastText(converted.at(-1));
  return converted;
}

function blocksOf(message: ModelMessage, to: AnthropicConversion): Block[] {
  if (message.role === 'user') {
    const { text, images } = sendableWords(message, to.images);
    return [...textBlocks(text), ...images.map(imageBlock)];
  }
  if (message.role === 'tool') return message.results.map((result) => toolResult(result, to.images));
  const own = isSameOrigin(message.origin, to.origin);
  return message.content.flatMap((part) => assistantBlocks(part, own));
}

/** Blank text is refused. */
const textBlocks = (text: string): Block[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

const imageBlock = ({ data, mimeType }: ModelImage): Anthropic.ImageBlockParam => ({
  type: 'image',
  source: {
    type: 'base64',
    media_type: mimeType as Anthropic.Base64ImageSource['media_type'],
    data,
  },
});

function assistantBlocks(part: AssistantContent, own: boolean): Block[] {
  const block = own ? readAnthropicData(part.providerData)?.block : undefined;
  if (part.type === 'tool-call') {
    const call = {
      type: 'tool_use',
      id: wireCallId(part.callId, CALL_IDS),
      name: wireToolName(part.name),
      input: part.args,
    };
    return [{ ...block, ...call } as Anthropic.ToolUseBlockParam];
  }
  // Kept as it came from this very model: that it is a block the API takes is the API's own word.
  if (block) return [block as unknown as Block];
  // Thinking without its signature (it was broken off) or of another model.
  if (part.type === 'reasoning') return [];
  return textBlocks(part.text);
}

function toolResult(result: ToolResultContent, accepted: ReadonlySet<string>): Block {
  const { text, images } = sendableResult(result, accepted);
  const content: Anthropic.ToolResultBlockParam['content'] = [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...images.map(imageBlock),
  ];
  return {
    type: 'tool_result',
    tool_use_id: wireCallId(result.callId, CALL_IDS),
    ...(content.length > 0 && { content }),
    ...(result.isError && { is_error: true }),
  };
}

/** A request that ends with the model's own text asks it to go on there, and that text can't end in white space. */
function trimLastText(message: { role: string; content: Block[] } | undefined): void {
  const last = message?.content.at(-1);
  if (message?.role !== 'assistant' || last?.type !== 'text') return;
  message.content[message.content.length - 1] = { ...last, text: last.text.trimEnd() };
}
