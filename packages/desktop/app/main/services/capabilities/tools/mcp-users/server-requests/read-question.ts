import type { ServerQuestion } from '@shared/contracts/mcp-requests.contract.ts';
import { isObject } from '../schema/json.ts';
import { readForm, refused } from './read-form.ts';

/** Characters of a message or of a whole sampling request. More can't be read before it is agreed to. */
const MAX_MESSAGE = 20_000;
const MAX_SAMPLING = 500_000;
const MAX_SAMPLING_MESSAGES = 500;
/** Pictures of a sampling request: how many, and characters of base64 together. */
const MAX_IMAGES = 20;
const MAX_IMAGE_DATA = 4_000_000;
/** What every provider takes. */
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];
const MAX_URL = 8192;
const MAX_HINTS = 10;
/** Characters of what a server writes about one wish. */
const MAX_WISH = 500;
const WISHES = [
  'temperature',
  'stopSequences',
  'includeContext',
  'costPriority',
  'speedPriority',
  'intelligencePriority',
  'metadata',
];
/** What a server may have written at most, in tokens, whatever it asks for. */
const MAX_TOKENS = 16_384;

/**
 * What the person is asked by `elicitation/create`.
 * @throws RpcError for the server, which says what is wrong with it
 */
export function readElicitation(params: Record<string, unknown>): ServerQuestion {
  const message = typeof params.message === 'string' ? params.message : '';
  if (message.length > MAX_MESSAGE) throw refused(`The message is longer than ${MAX_MESSAGE} characters.`);
  if (params.mode === 'url') return { kind: 'url', message, opened: false, ...readUrl(params.url) };
  if (params.mode !== undefined && params.mode !== 'form') throw refused('This mode of elicitation is not known.');
  return { kind: 'form', message, fields: readForm(params.requestedSchema) };
}

function readUrl(url: unknown): { url: string; host: string } {
  if (typeof url !== 'string' || url.length > MAX_URL) throw refused('The address is missing or too long.');
  // Parsers drop some of these, so that what is shown would not be what is opened.
  if (/[\p{Cc}\s\\]/u.test(url)) throw refused('The address contains spaces, backslashes or control characters.');
  const parsed = URL.parse(url);
  if (!parsed || !['https:', 'http:'].includes(parsed.protocol)) throw refused('Only web addresses can be opened.');
  return { url, host: parsed.host };
}

/**
 * What the person is asked by `sampling/createMessage`: text and pictures, without tools.
 * @throws RpcError for the server, which says what can't be done
 */
export function readSampling(params: Record<string, unknown>): ServerQuestion {
  if (Array.isArray(params.tools) && params.tools.length > 0) throw refused('Sampling with tools is not supported.');
  if (params.toolChoice !== undefined && isObject(params.toolChoice) && params.toolChoice.mode === 'required')
    throw refused('Sampling with tools is not supported.');
  const { messages, maxTokens } = params;
  if (!Array.isArray(messages) || messages.length === 0) throw refused('There are no messages to answer.');
  if (messages.length > MAX_SAMPLING_MESSAGES) throw refused(`More than ${MAX_SAMPLING_MESSAGES} messages.`);
  const read = messages.map(readMessage);
  if (read.at(-1)?.role !== 'user') throw refused('The last message has to be one of the user.');
  const system = typeof params.systemPrompt === 'string' && params.systemPrompt ? params.systemPrompt : undefined;
  const length = read.reduce((sum, { text }) => sum + text.length, system?.length ?? 0);
  if (length > MAX_SAMPLING) throw refused(`The request is longer than ${MAX_SAMPLING} characters.`);
  const images = read.flatMap((message) => message.images ?? []);
  const data = images.reduce((sum, image) => sum + image.data.length, 0);
  if (images.length > MAX_IMAGES || data > MAX_IMAGE_DATA) {
    throw refused(`More than ${MAX_IMAGES} pictures, or more than ${MAX_IMAGE_DATA / 1_000_000} MB of them.`);
  }
  const wanted = typeof maxTokens === 'number' && maxTokens >= 1 ? Math.floor(maxTokens) : MAX_TOKENS;
  return {
    kind: 'sampling',
    ...(system !== undefined && { system }),
    messages: read,
    maxTokens: Math.min(wanted, MAX_TOKENS),
    hints: readHints(params.modelPreferences),
    notPassedOn: readWishes(params),
    phase: { name: 'asked' },
  };
}

type SamplingQuestion = Extract<ServerQuestion, { kind: 'sampling' }>;
type SamplingMessage = SamplingQuestion['messages'][number];

function readMessage(message: unknown): SamplingMessage {
  if (!isObject(message) || (message.role !== 'user' && message.role !== 'assistant')) {
    throw refused('A message is neither of the user nor of the assistant.');
  }
  const { role } = message;
  const texts: string[] = [];
  const images: NonNullable<SamplingMessage['images']> = [];
  for (const block of Array.isArray(message.content) ? message.content : [message.content]) {
    if (isObject(block) && block.type === 'text' && typeof block.text === 'string') texts.push(block.text);
    else if (isObject(block) && block.type === 'image' && role === 'user') images.push(readImage(block));
    else throw refused(whyNot(block, role));
  }
  return { role, text: texts.join('\n'), ...(images.length > 0 && { images }) };
}

function readImage({ data, mimeType }: Record<string, unknown>): { data: string; mimeType: string } {
  const type = IMAGE_TYPES.find((known) => typeof mimeType === 'string' && mimeType.toLowerCase() === known);
  if (type === undefined) throw refused('Of pictures only PNG, JPEG and WebP can be sent to a model.');
  const isBase64 = typeof data === 'string' && data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
  if (!isBase64) throw refused('The data of a picture is not base64.');
  return { data, mimeType: type };
}

function whyNot(block: unknown, role: string): string {
  const type = isObject(block) && typeof block.type === 'string' ? block.type.slice(0, 100) : 'unknown';
  if (type === 'audio') return 'Sound can not be sent to a model here: send text or pictures.';
  if (type === 'image') return `A picture can only be in a message of the user, not of the ${role}.`;
  return `Content of the type ${JSON.stringify(type)} can not be sent to a model by sampling: send text or pictures.`;
}

/** The wishes of a request that can't be kept here. The person sees them, so that they see the whole request. */
function readWishes({ modelPreferences, ...params }: Record<string, unknown>): SamplingQuestion['notPassedOn'] {
  const preferences = isObject(modelPreferences) ? modelPreferences : {};
  return WISHES.flatMap((name) => {
    const value = params[name] ?? preferences[name];
    if (value === undefined || value === null) return [];
    return [{ name, value: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MAX_WISH) }];
  });
}

function readHints(preferences: unknown): string[] {
  const hints = isObject(preferences) && Array.isArray(preferences.hints) ? preferences.hints : [];
  return hints
    .flatMap((hint) => (isObject(hint) && typeof hint.name === 'string' ? [hint.name.slice(0, 200)] : []))
    .slice(0, MAX_HINTS);
}
