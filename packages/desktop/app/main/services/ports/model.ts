import type { Usage } from '@shared/contracts/message-types.ts';
import type { ProviderTools, ToolFormat } from './tool-formats.ts';

/** What a provider wants back verbatim with a part (a signature, an encrypted reasoning item). Opaque to everyone else. */
export type ProviderData = unknown;

/** Who wrote an assistant message. Provider data goes back only to the same one. */
export interface ModelOrigin {
  providerId: string;
  modelId: string;
}

export type AssistantContent =
  | { type: 'text'; text: string; providerData?: ProviderData }
  | { type: 'reasoning'; text: string; providerData?: ProviderData }
  | { type: 'tool-call'; callId: string; name: string; args: Record<string, unknown>; providerData?: ProviderData };

export interface ModelImage {
  /** Base64. */
  data: string;
  mimeType: string;
}

/** A tool's result in the form that a model reads. */
export interface ToolResultContent {
  callId: string;
  /** Wire name of the tool. */
  name: string;
  isError: boolean;
  text: string;
  images?: ModelImage[];
  /** The person declined the call; `text` says so to a model. */
  declined?: boolean;
}

/** History as every provider recipe takes it. What arrives there has been through `repairHistory`. */
export type ModelMessage =
  | {
      role: 'user';
      /** The person's own words. */
      text: string;
      /** What they sent along, as text that says so. Follows the words. */
      attached?: string;
      images?: ModelImage[];
    }
  | { role: 'assistant'; origin?: ModelOrigin; content: AssistantContent[] }
  | { role: 'tool'; results: ToolResultContent[] };

export interface ModelRequest {
  modelId: string;
  system?: string;
  messages: ModelMessage[];
  /** In the form of the provider's `toolFormat`; absent or empty for none. */
  tools?: ProviderTools;
  signal: AbortSignal;
  /** Told before the request goes out when the provider takes only some of the tools: the wire names of those left out. */
  onToolsLeftOut?(names: string[], reason: string): void;
}

export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'pause' | 'other';

/**
 * A piece of a model's streamed answer. Deltas belong to the part that is open: a text or reasoning part opens with its
 * first delta (or with its end, for a part without text) and closes with its `-end`, with the start of another part, or with
 * `finish`. Calls may interleave; they are told apart by `callId`, which the provider makes up where the wire gives none.
 */
export type StreamPart =
  | { type: 'text-delta'; text: string }
  | { type: 'text-end'; providerData?: ProviderData }
  | { type: 'reasoning-delta'; text: string }
  | { type: 'reasoning-end'; providerData?: ProviderData }
  | { type: 'tool-call-start'; callId: string; name: string }
  | { type: 'tool-call-delta'; callId: string; argsText: string }
  /** The whole call. `argsText` is the model's own text, valid JSON or not. */
  | { type: 'tool-call-end'; callId: string; name: string; argsText: string; providerData?: ProviderData }
  | { type: 'usage'; usage: Usage }
  | { type: 'finish'; reason: FinishReason };

/** A configured model provider. Failures are thrown as ModelError; an aborted signal throws its reason. */
export interface ModelPort {
  readonly providerId: string;
  /** Which conversion of the ToolsLoader its tools need. */
  readonly toolFormat: ToolFormat;
  /** Tokens that the model it was opened for can take; absent where the provider doesn't say. */
  readonly contextWindow?: number;
  /** Ends with one `finish` part, or throws. A stream that ends early without one is a ModelError `broken-stream`. */
  stream(request: ModelRequest): AsyncIterable<StreamPart>;
}
