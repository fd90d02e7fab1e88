import type { AssistantContent, ModelMessage } from '../ports/model.ts';
import type { ProviderTools } from '../ports/tool-formats.ts';

/** What a picture costs with most providers, more or less. */
const IMAGE_TOKENS = 1500;
/** Roles, marks and ids around every piece of a message. */
const PIECE_TOKENS = 6;
/** Quotation marks and the like around a value, and a number itself. */
const MARK_TOKENS = 1;
/** Longer texts than this, in characters, aren't gone through as a whole. */
const WHOLE_LENGTH = 100_000;
/** Of a long text only pieces are looked at, evenly spread: so many, each of so many characters. */
const PIECES = 16;
const PIECE_LENGTH = 32;

/** Tokens of a character, by where it lies: Latin letters and code; other alphabets; Chinese, Japanese, Korean, emoji. */
const ASCII_TOKENS = 0.28;
const ALPHABET_TOKENS = 0.5;
const IDEOGRAPH_TOKENS = 1.1;
/** No character counts for more. */
export const MAX_TOKENS_PER_CHARACTER = IDEOGRAPH_TOKENS;

/**
 * Tokens of a text, by a rule of thumb that rather counts too many: every model cuts text in its own way, and where the
 * provider has counted, that is taken. Costs the same for every text beyond a few hundred characters.
 */
export function estimateTokens(text: string): number {
  const { length } = text;
  // By far the quickest that can be asked of a text, and true of most.
  if (length <= WHOLE_LENGTH && Buffer.byteLength(text) === length) return Math.ceil(length * ASCII_TOKENS);
  if (length <= PIECES * PIECE_LENGTH) return Math.ceil(tokensBetween(text, 0, length));
  let tokens = 0;
  for (let piece = 0; piece < PIECES; piece++) {
    const start = Math.floor((piece * (length - PIECE_LENGTH)) / (PIECES - 1));
    tokens += tokensBetween(text, start, start + PIECE_LENGTH);
  }
  return Math.ceil((tokens * length) / (PIECES * PIECE_LENGTH));
}

function tokensBetween(text: string, start: number, end: number): number {
  let tokens = 0;
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    tokens += code < 0x80 ? ASCII_TOKENS : code < 0x2e80 ? ALPHABET_TOKENS : IDEOGRAPH_TOKENS;
  }
  return tokens;
}

/** Tokens of messages as a model reads them. */
export function estimateMessages(messages: readonly ModelMessage[]): number {
  let tokens = 0;
  for (const message of messages) tokens += estimateMessage(message);
  return tokens;
}

function estimateMessage(message: ModelMessage): number {
  if (message.role === 'user') {
    return pieceTokens(message.text) + estimateTokens(message.attached ?? '') + imageTokens(message.images);
  }
  let tokens = 0;
  if (message.role === 'assistant') for (const item of message.content) tokens += contentTokens(item);
  else for (const { text, images } of message.results) tokens += pieceTokens(text) + imageTokens(images);
  return tokens;
}

const contentTokens = (item: AssistantContent): number =>
  item.type === 'tool-call' ? pieceTokens(item.name) + valueTokens(item.args) : pieceTokens(item.text);

/** Of a value as JSON, without writing it. */
function valueTokens(value: unknown): number {
  if (typeof value === 'string') return MARK_TOKENS + estimateTokens(value);
  if (typeof value !== 'object' || value === null) return MARK_TOKENS;
  let tokens = MARK_TOKENS;
  for (const key in value) {
    tokens += MARK_TOKENS + estimateTokens(key) + valueTokens((value as Record<string, unknown>)[key]);
  }
  return tokens;
}

const pieceTokens = (text: string): number => PIECE_TOKENS + estimateTokens(text);
const imageTokens = (images: readonly unknown[] | undefined): number => (images?.length ?? 0) * IMAGE_TOKENS;

/** Tokens of definitions of tools. Definitions are shared between requests, so each is looked at once. */
export function estimateTools(tools: ProviderTools | undefined): number {
  let tokens = 0;
  for (const tool of tools ?? []) {
    for (const definition of 'functionDeclarations' in tool ? tool.functionDeclarations : [tool]) {
      const known = toolTokens.get(definition) ?? estimateTokens(JSON.stringify(definition));
      toolTokens.set(definition, known);
      tokens += known;
    }
  }
  return tokens;
}

const toolTokens = new WeakMap<object, number>();
