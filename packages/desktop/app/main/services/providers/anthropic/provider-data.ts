import type { ProviderData } from '../../ports/model.ts';
import { isRecord } from '../wire/json.ts';

/** A content block as it came: of thinking with its signature, or of a kind that only Anthropic knows. */
export interface AnthropicProviderData {
  kind: 'anthropic';
  block: { type: string } & Record<string, unknown>;
}

export const readAnthropicData = (data: ProviderData): AnthropicProviderData | undefined =>
  isRecord(data) && data.kind === 'anthropic' && isRecord(data.block)
    ? (data as unknown as AnthropicProviderData)
    : undefined;
