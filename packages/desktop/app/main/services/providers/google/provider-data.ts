import type { Part } from '@google/genai';
import type { ProviderData } from '../../ports/model.ts';
import { isRecord } from '../wire/json.ts';

/** What Gemini wants back with a part. */
export interface GoogleProviderData {
  kind: 'google';
  /** With text, thoughts, and what only Gemini knows: the wire's own parts, their signatures where they were. */
  parts?: Part[];
  /** With a call: its signature, and what was signed. */
  signed?: { thoughtSignature: string; name: string; args: Record<string, unknown> };
  /** With a call: its id, where the wire gave one. */
  wireId?: string;
}

export const readGoogleData = (data: ProviderData): GoogleProviderData | undefined =>
  isRecord(data) && data.kind === 'google' ? (data as unknown as GoogleProviderData) : undefined;
