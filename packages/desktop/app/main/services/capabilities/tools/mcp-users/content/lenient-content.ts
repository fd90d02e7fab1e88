import { UriTemplate } from '@modelcontextprotocol/client';
import type {
  AttachmentPart,
  McpPrompt,
  McpResource,
  McpResourceTemplate,
  RejectedEntry,
} from '@shared/contracts/mcp-content-types.ts';
import { cutText, MAX_RESULT_TEXT } from '../result-for-model.ts';
import { isObject } from '../schema/json.ts';

type Json = Record<string, unknown>;

/** Providers refuse larger pictures. In characters of base64. */
const MAX_IMAGE = 5_000_000;
/** Descriptions are for people; nobody reads more. */
const MAX_DESCRIPTION = 10_000;
const MAX_NAME = 1024;
const MAX_URI = 8192;
const MAX_ARGUMENTS = 100;
/** One resource may be a folder of many. */
const MAX_CONTENTS = 100;

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const nameOf = (value: unknown): string | undefined => textOf(value)?.slice(0, MAX_NAME);

/** What both kinds of resources and prompts may say of themselves. */
const words = (entry: Json) => ({
  title: nameOf(entry.title),
  description: textOf(entry.description)?.slice(0, MAX_DESCRIPTION),
});
const mimeTypeOf = (value: unknown): string | undefined => textOf(value)?.slice(0, 255);

const reject = (entry: unknown, reason: string): RejectedEntry => ({
  name: (isObject(entry) && (nameOf(entry.name) ?? nameOf(entry.uri) ?? nameOf(entry.uriTemplate))) || '(unnamed)',
  reason,
});

/** Reads one entry of `resources/list`. Only a missing address makes it unusable. */
export function readResource(entry: unknown): McpResource | RejectedEntry {
  if (!isObject(entry)) return reject(entry, 'The entry is not an object.');
  const uri = textOf(entry.uri);
  if (uri === undefined) return reject(entry, 'It has no address.');
  if (uri.length > MAX_URI) return reject(entry, `Its address is longer than ${MAX_URI} characters.`);
  const { size } = entry;
  return {
    uri,
    name: nameOf(entry.name) ?? nameOf(entry.title) ?? uri.slice(0, MAX_NAME),
    ...words(entry),
    mimeType: mimeTypeOf(entry.mimeType),
    size: typeof size === 'number' && size >= 0 ? size : undefined,
  };
}

/** Reads one entry of `resources/templates/list`. */
export function readTemplate(entry: unknown): McpResourceTemplate | RejectedEntry {
  if (!isObject(entry)) return reject(entry, 'The entry is not an object.');
  const uriTemplate = textOf(entry.uriTemplate);
  if (uriTemplate === undefined) return reject(entry, 'It has no template of an address.');
  if (uriTemplate.length > MAX_URI) return reject(entry, `Its template is longer than ${MAX_URI} characters.`);
  let names: string[];
  try {
    names = [...new Set(new UriTemplate(uriTemplate).variableNames)];
  } catch {
    return reject(entry, 'Its template can not be read.');
  }
  return {
    uriTemplate,
    name: nameOf(entry.name) ?? nameOf(entry.title) ?? uriTemplate.slice(0, MAX_NAME),
    ...words(entry),
    mimeType: mimeTypeOf(entry.mimeType),
    arguments: names.slice(0, MAX_ARGUMENTS),
  };
}

/** Reads one entry of `prompts/list`. Arguments that have no name are left out; a server that needs them says so. */
export function readPrompt(entry: unknown): McpPrompt | RejectedEntry {
  if (!isObject(entry)) return reject(entry, 'The entry is not an object.');
  const name = textOf(entry.name);
  if (name === undefined) return reject(entry, 'It has no name.');
  if (name.length > MAX_NAME) return reject(entry, `Its name is longer than ${MAX_NAME} characters.`);
  const listed = Array.isArray(entry.arguments) ? entry.arguments.slice(0, MAX_ARGUMENTS) : [];
  const byName = new Map<string, McpPrompt['arguments'][number]>();
  for (const argument of listed) {
    const argumentName = isObject(argument) ? textOf(argument.name) : undefined;
    if (argumentName === undefined || argumentName.length > MAX_NAME || byName.has(argumentName)) continue;
    byName.set(argumentName, { name: argumentName, ...words(argument), required: argument.required === true });
  }
  return { name, ...words(entry), arguments: [...byName.values()] };
}

/** Where content came from. */
export interface Origin {
  serverId: string;
  serverName: string;
  uri: string;
  name: string;
}

/** The parts of what `resources/read` answered, within limits; none where there is nothing readable in it. */
export function readContents(result: unknown, origin: Origin): AttachmentPart[] {
  const contents = isObject(result) ? result.contents : undefined;
  const list = Array.isArray(contents) ? contents : isObject(contents) ? [contents] : [];
  const parts = list.slice(0, MAX_CONTENTS).flatMap((entry) => {
    const part = isObject(entry) ? readContent(entry, origin) : undefined;
    return part ? [part] : [];
  });
  return limitParts(parts);
}

/** One piece of content: text as far as it fits, a picture as far as a model takes it, or only what it is. */
export function readContent(entry: Json, origin: Origin): AttachmentPart | undefined {
  const uri = textOf(entry.uri)?.slice(0, MAX_URI) ?? origin.uri;
  // A resource may be a folder of several: each then has an address of its own.
  const name = uri === origin.uri ? origin.name : uri.slice(0, MAX_NAME);
  const mimeType = mimeTypeOf(entry.mimeType);
  const base = { type: 'attachment' as const, serverId: origin.serverId, serverName: origin.serverName, name, uri };
  if (typeof entry.text === 'string') {
    const text = cutText(entry.text);
    return { ...base, mimeType, text, size: Buffer.byteLength(entry.text), cut: entry.text.length > MAX_RESULT_TEXT };
  }
  if (typeof entry.blob !== 'string') return undefined;
  return { ...base, mimeType, ...readBlob(entry.blob, mimeType) };
}

/** A picture where the data is one and small enough; text where its type says so; else only its size. */
export function readBlob(
  blob: string,
  mimeType: string | undefined,
): Pick<AttachmentPart, 'text' | 'image' | 'size' | 'cut'> {
  const size = Math.floor((blob.length * 3) / 4);
  if (mimeType === undefined || !isBase64(blob)) return { size, cut: false };
  if (/^image\//i.test(mimeType)) {
    return blob.length > MAX_IMAGE
      ? { size, cut: true }
      : { image: { data: blob.replace(/\s+/g, ''), mimeType }, size, cut: false };
  }
  if (!/^text\/|[/+](?:json|xml|yaml)\b/i.test(mimeType)) return { size, cut: false };
  const text = Buffer.from(blob, 'base64').toString('utf8');
  return { text: cutText(text), size, cut: text.length > MAX_RESULT_TEXT };
}

const isBase64 = (data: string): boolean => data !== '' && /^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(data);

/** The suggestions that `completion/complete` answered. */
export function readCompletion(result: unknown): { values: string[]; hasMore: boolean } {
  const completion = isObject(result) && isObject(result.completion) ? result.completion : {};
  const listed = Array.isArray(completion.values) ? completion.values : [];
  const values = listed
    .filter((value): value is string => typeof value === 'string' && value.length <= MAX_URI)
    .slice(0, 100);
  return { values: [...new Set(values)], hasMore: completion.hasMore === true || listed.length > values.length };
}

/** What all the content of one message may come to. */
const MAX_MESSAGE_TEXT = 4 * MAX_RESULT_TEXT;
const MAX_MESSAGE_IMAGES = 4 * MAX_IMAGE;
/** Less than this of a text is of no use. */
const LEAST_TEXT = 200;

/** The parts of one message within the limits of all of them together; the first ones count. */
export const limitMessageParts = (parts: readonly AttachmentPart[]): AttachmentPart[] =>
  limitParts(parts, MAX_MESSAGE_TEXT, MAX_MESSAGE_IMAGES);

/** Cuts what is more than all parts together may have, text and pictures apart. Nothing goes unmarked. */
function limitParts(
  parts: readonly AttachmentPart[],
  maxText = MAX_RESULT_TEXT,
  maxImages = MAX_IMAGE,
): AttachmentPart[] {
  let textLeft = maxText;
  let imagesLeft = maxImages;
  return parts.map((part) => {
    const { text, image, ...rest } = part;
    const keptText = text === undefined ? undefined : fitText(text, Math.min(textLeft, MAX_RESULT_TEXT));
    const keptImage = image && image.data.length <= Math.min(imagesLeft, MAX_IMAGE) ? image : undefined;
    textLeft -= keptText?.length ?? 0;
    imagesLeft -= keptImage?.data.length ?? 0;
    if (keptText === text && keptImage === image) return part;
    return {
      ...rest,
      ...(keptText !== undefined && { text: keptText }),
      ...(keptImage && { image: keptImage }),
      cut: true,
    };
  });
}

function fitText(text: string, room: number): string | undefined {
  if (text.length <= room) return text;
  return room < LEAST_TEXT ? undefined : cutText(text, room);
}
