import { type AttachmentRequest, MAX_ATTACHMENTS } from '@shared/contracts/mcp-content-types.ts';
import { cutText } from '../result-for-model.ts';
import { isObject } from '../schema/json.ts';
import { type Origin, readBlob, readContent, textOf } from './lenient-content.ts';

interface Source {
  serverId: string;
  serverName: string;
}

/**
 * What `prompts/get` answered, as a person edits it: the text of its messages, told apart by who speaks where they are not all
 * the person's own, and what is attached to them.
 */
export function readPromptResult(result: unknown, source: Source): { text: string; attachments: AttachmentRequest[] } {
  const listed = isObject(result) && Array.isArray(result.messages) ? result.messages.filter(isObject) : [];
  const attachments: AttachmentRequest[] = [];
  const messages = listed.map(({ role, content }) => {
    const blocks = Array.isArray(content) ? content : [content];
    const texts = blocks.flatMap((block) => {
      const { text, attachment } = readBlock(block, source, attachments.length + 1);
      if (attachment && attachments.length < MAX_ATTACHMENTS) attachments.push(attachment);
      return text === undefined ? [] : [text];
    });
    return { speaker: role === 'assistant' ? 'Assistant' : 'User', text: texts.join('\n\n') };
  });
  const spoken = messages.filter(({ text }) => text.trim() !== '');
  const isDialogue = spoken.some(({ speaker }) => speaker === 'Assistant');
  const text = spoken
    .map((message) => (isDialogue ? `${message.speaker}: ${message.text}` : message.text))
    .join('\n\n');
  return { text: cutText(text), attachments };
}

/** @param number counts what is attached, to name what has no name */
function readBlock(block: unknown, source: Source, number: number): { text?: string; attachment?: AttachmentRequest } {
  if (typeof block === 'string') return { text: block };
  if (!isObject(block)) return {};
  switch (block.type) {
    case 'text':
      return { text: textOf(block.text) };
    case 'image':
    case 'audio': {
      const mimeType = textOf(block.mimeType)?.slice(0, 255);
      const data = textOf(block.data);
      if (data === undefined) return {};
      const name = `${block.type === 'image' ? 'Image' : 'Audio'} ${number}`;
      const part = { type: 'attachment' as const, ...source, name, uri: '', mimeType, ...readBlob(data, mimeType) };
      return { attachment: { kind: 'content', part } };
    }
    case 'resource': {
      if (!isObject(block.resource)) return {};
      const uri = textOf(block.resource.uri)?.slice(0, 8192) ?? '';
      const origin: Origin = { ...source, uri, name: lastSegment(uri) || `Resource ${number}` };
      const part = readContent(block.resource, origin);
      return part ? { attachment: { kind: 'content', part } } : {};
    }
    case 'resource_link': {
      const uri = textOf(block.uri);
      if (uri === undefined || uri.length > 8192) return {};
      const name = (textOf(block.title) ?? textOf(block.name) ?? lastSegment(uri)).slice(0, 1024);
      return {
        attachment: { kind: 'resource', ...source, uri, name, mimeType: textOf(block.mimeType)?.slice(0, 255) },
      };
    }
    default:
      return typeof block.type === 'string' ? { text: `[${block.type.slice(0, 100)}]` } : {};
  }
}

const lastSegment = (uri: string): string =>
  uri
    .replace(/[/?#]+$/, '')
    .split('/')
    .at(-1)
    ?.slice(0, 1024) ?? '';
