import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { cut } from '../log/cut.ts';
import { isObject } from '../schema/json.ts';
import { readHandshake, withShortServerInfo } from '../server-info.ts';

const MAX_ERROR_TEXT = 2000;
const INTERNAL_ERROR = -32603;

/** Whether a value that a server sent is a JSON-RPC message. What is in it is checked by who reads it. */
export const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === 'object' &&
  value !== null &&
  'jsonrpc' in value &&
  value.jsonrpc === '2.0' &&
  ('method' in value || 'id' in value);

/** What can be told of the error in an answer, whatever its form; the code is undefined when the server gave none. */
export function readError(error: unknown): { code: number | undefined; message: string; data: unknown } {
  const { code, message, data } = isObject(error) ? error : {};
  return {
    code: typeof code === 'number' ? code : undefined,
    message: typeof message === 'string' ? message : wordsOf(error),
    data,
  };
}

/** What can be told of an error that has no message. */
function wordsOf(error: unknown): string {
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return cut(text, MAX_ERROR_TEXT) || 'Unknown error';
}

/**
 * A message as the SDK's Client takes it. That takes no notice of one with a field that is none of JSON-RPC's, such as the
 * `"error": null` beside a result and the `"params": null` that some libraries write, and of odd errors and results: whoever
 * waits for the answer would wait for ever.
 */
export function plainMessage(message: JSONRPCMessage): JSONRPCMessage {
  const { jsonrpc, id, method, params, result, error } = message as Record<string, unknown>;
  if (method !== undefined) {
    const known = { jsonrpc, ...(id !== undefined && { id }), method };
    return (isObject(params) ? { ...known, params: withPlainMeta(params) } : known) as JSONRPCMessage;
  }
  const answer = (content: { result: unknown } | { error: unknown }) => ({ jsonrpc, id, ...content }) as JSONRPCMessage;
  if (error) {
    const { code, message: text, data } = readError(error);
    const isCode = Number.isInteger(code);
    return answer({
      error: { code: isCode ? code : INTERNAL_ERROR, message: text, ...(data !== undefined && { data }) },
    });
  }
  if (!isObject(result)) {
    return answer({ error: { code: INTERNAL_ERROR, message: 'The server answered with a result that is no object.' } });
  }
  return answer({ result: 'protocolVersion' in result ? readHandshake(result) : withShortServerInfo(result) });
}

function withPlainMeta(params: Record<string, unknown>): Record<string, unknown> {
  if (params._meta === undefined || isObject(params._meta)) return params;
  const { _meta, ...rest } = params;
  return rest;
}
