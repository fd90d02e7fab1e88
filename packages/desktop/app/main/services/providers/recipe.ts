import type { ModelInfo } from '@shared/contracts/providers.contract.ts';
import type { ModelError } from '../ports/errors.ts';
import type { Fetch, Logger } from '../ports/infrastructure.ts';
import type { ModelRequest, StreamPart } from '../ports/model.ts';
import type { ToolFormat } from '../ports/tool-formats.ts';

/** What a provider needs to be talked to. */
export interface ProviderConfig {
  providerId: string;
  /** What the person calls it, for errors. Default: its host. */
  name?: string;
  /**
   * null or absent: the provider's own address. OpenAI's formats want the version in it (`…/v1`); for the others it may be
   * there or not.
   */
  baseUrl?: string | null;
  /** Absent or empty: none is sent (Google's SDK can't do without, and sends a placeholder). */
  apiKey?: string;
  fetch: Fetch;
  logger?: Logger;
  /**
   * Chat Completions only: send the model's reasoning back with its messages, even when it is empty, as DeepSeek and its kin
   * demand. Default: by the address (see endpoint-quirks.ts). Either way a model that refuses it gets the other.
   */
  echoReasoning?: boolean;
}

/**
 * Something that most models of a provider take and some refuse. It is sent, and left out for a model that has refused it.
 * - `usual-reasoning`: whether reasoning goes back as is usual at the address; without it, the other way round.
 * - `long-descriptions`: of tools; some endpoints still have the limit of 1,024 characters that OpenAI once had.
 * - `schema-limits`: least and greatest values, lengths and formats in the arguments of tools. Gemini adds up what they cost.
 * - `signatures`: what the model signed or encrypted earlier in the conversation. After a change of the key or of the account
 *   it may not know its own any more.
 */
export type Nicety =
  | 'images'
  | 'reasoning-summary'
  | 'encrypted-reasoning'
  | 'thinking'
  | 'usual-reasoning'
  | 'long-descriptions'
  | 'schema-limits'
  | 'signatures';

export interface RecipeRequest extends ModelRequest {
  /** Niceties that this model has refused. */
  without: ReadonlySet<Nicety>;
}

/** One way of talking to models; `createModelPort` makes a ModelPort of it. */
export interface Recipe {
  readonly toolFormat: ToolFormat;
  /** Ends with one `finish`; throws whatever its SDK throws. */
  stream(request: RecipeRequest): AsyncIterable<StreamPart>;
  listModels(signal: AbortSignal | undefined): Promise<ModelInfo[]>;
  /** Which nicety an error complains about, judged by its words. */
  refusedNicety(error: ModelError): Nicety | undefined;
  toModelError(thrown: unknown, modelId?: string): ModelError;
}
