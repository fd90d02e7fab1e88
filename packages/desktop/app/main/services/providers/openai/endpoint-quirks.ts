import { CALL_ID_RULES, type CallIdRule } from '../wire/call-ids.ts';

/** Where a compatible endpoint departs from Chat Completions as OpenAI defined it. */
export interface EndpointQuirks {
  /** `reasoning_content` goes back with every message of the model, even when it is empty. */
  echoReasoning: boolean;
  /** Understands `stream_options`; without it, usage comes unasked. */
  streamOptions: boolean;
  callIds: CallIdRule;
}

const USUAL: EndpointQuirks = {
  echoReasoning: false,
  streamOptions: true,
  callIds: CALL_ID_RULES.common,
};

const BY_HOST: [host: RegExp, quirks: Partial<EndpointQuirks>][] = [
  [/(^|\.)deepseek\.com$/, { echoReasoning: true }],
  [/(^|\.)moonshot\.(ai|cn)$/, { echoReasoning: true }],
  [/(^|\.)mistral\.ai$/, { streamOptions: false, callIds: CALL_ID_RULES.nineLetters }],
];

export function quirksOf(baseUrl: string): EndpointQuirks {
  const { hostname } = new URL(baseUrl);
  return { ...USUAL, ...BY_HOST.find(([host]) => host.test(hostname))?.[1] };
}
