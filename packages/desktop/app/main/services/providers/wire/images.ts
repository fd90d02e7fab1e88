import type { ModelImage as Image, ModelMessage, ToolResultContent } from '../../ports/model.ts';

type UserMessage = Extract<ModelMessage, { role: 'user' }>;

/** What a model gets: text, with a line for each picture that can't be sent, and the pictures that can. */
export interface Sendable {
  text: string;
  images: Image[];
}

/** Of a result. `accepted`: the MIME types that the provider takes; empty for none at all. */
export const sendableResult = ({ text, images }: ToolResultContent, accepted: ReadonlySet<string>): Sendable =>
  sendable([text], images, accepted);

/** The same of what a person said, with what they sent along after their words. */
export const sendableWords = ({ text, attached, images }: UserMessage, accepted: ReadonlySet<string>): Sendable => {
  const sent = sendable(attached === undefined ? [] : [attached], images, accepted);
  return { ...sent, text: [text, sent.text].filter((part) => part.trim() !== '').join('\n\n') };
};

function sendable(texts: string[], all: readonly Image[] = [], accepted: ReadonlySet<string>): Sendable {
  const images: Image[] = [];
  const notes: string[] = [];
  for (const { data, mimeType } of all) {
    const type = typeOf({ data, mimeType });
    if (accepted.has(type)) images.push({ data, mimeType: type });
    else notes.push(`[Image of type ${mimeType}, which this model can't be shown]`);
  }
  return { text: [...texts, ...notes].filter((text) => text.trim() !== '').join('\n'), images };
}

/**
 * What a picture is by its first bytes, or else by its name for it: providers refuse the whole request for a type that is
 * wrong, in capitals, with parameters or has another name.
 */
function typeOf({ data, mimeType }: Image): string {
  const type = mimeType.toLowerCase().replace(/;.*$/s, '').trim();
  return BEGINNINGS.find(([begins]) => begins.test(data))?.[1] ?? OTHER_NAMES[type] ?? type;
}

/** In base64. */
const BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^iVBORw0KGgo/, 'image/png'],
  [/^\/9j\//, 'image/jpeg'],
  [/^R0lGOD/, 'image/gif'],
  [/^UklGR.{7}RUJQ/, 'image/webp'],
];

const OTHER_NAMES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
};

export const dataUrl = (image: Image): string => `data:${image.mimeType};base64,${image.data}`;

export const NO_IMAGES: ReadonlySet<string> = new Set();

/** What OpenAI and Anthropic take. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const GEMINI_IMAGE_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/heif',
]);
