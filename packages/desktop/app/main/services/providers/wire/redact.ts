const KEY_SHAPES = [/\bsk-[\w*-]{6,}/g, /\bAIza[\w-]{10,}/g, /\b(?:gsk|xai)[-_][\w-]{10,}/g, /(?<=\bBearer\s+)\S+/gi];
const KEY_IN_URL = /(?<=[?&](?:key|api_key|apikey|access_token)=)[^&\s"']+/gi;

/** Takes the key, and whatever looks like one, out of a text that somebody will read. */
export function redactKey(text: string, apiKey: string | undefined): string {
  let redacted = text;
  // Shorter ones are placeholders such as `ollama`, and cutting them out of every text would only garble it.
  if (apiKey && apiKey.length >= 8) redacted = redacted.replaceAll(apiKey, '[key]');
  for (const shape of [...KEY_SHAPES, KEY_IN_URL]) redacted = redacted.replace(shape, '[key]');
  return redacted;
}
