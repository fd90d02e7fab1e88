import type OpenAI from 'openai';
import type { ProviderData } from '../../../ports/model.ts';
import { isRecord } from '../../wire/json.ts';

/** The output item that a part came from, whole: stateless use means sending each one back. */
export interface ResponsesProviderData {
  kind: 'openai-responses';
  item: OpenAI.Responses.ResponseOutputItem;
}

export const readResponsesData = (data: ProviderData): ResponsesProviderData | undefined =>
  isRecord(data) && data.kind === 'openai-responses' && isRecord(data.item)
    ? (data as unknown as ResponsesProviderData)
    : undefined;
