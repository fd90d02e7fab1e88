import type { ProviderData } from '../../../ports/model.ts';
import { isRecord } from '../../wire/json.ts';

/** What Chat Completions keeps with a reasoning part or a call, to be sent back as it came. */
export interface ChatProviderData {
  kind: 'openai-chat';
  /** With reasoning: OpenRouter's signed or encrypted blocks. */
  reasoning_details?: unknown[];
  /** With a call: Gemini's signatures. */
  extra_content?: unknown;
}

export const readChatData = (data: ProviderData): ChatProviderData | undefined =>
  isRecord(data) && data.kind === 'openai-chat' ? (data as unknown as ChatProviderData) : undefined;
