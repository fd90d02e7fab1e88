import type { ToolResultContent } from '../../ports/model.ts';

type Image = NonNullable<ToolResultContent['images']>[number];

/** What a model gets of a result: its text, with a line for each picture that can't be sent, and the pictures that can. */
export interface SendableResult {
  text: string;
  images: Image[];
}

/** `accepted`: the MIME types that the provider takes; empty for none at all. */
export function sendableResult(result: ToolResultContent, accepted: ReadonlySet<string>): SendableResult {
  const all = result.images ?? [];
  const images = all.filter((image) => accepted.has(image.mimeType.toLowerCase()));
  const notes = all
    .filter((image) => !images.includes(image))
    .map((image) => `[Image of type ${image.mimeType}, which this model can't be shown]`);
  return { text: [result.text, ...notes].filter((text) => text.trim() !== '').join('\n'), images };
}

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
