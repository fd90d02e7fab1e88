import { describe, expect, test } from 'vitest';
import { toModelError as anthropicError } from '../anthropic/to-model-error.ts';
import { toModelError as googleError } from '../google/to-model-error.ts';
import { toModelError as openaiError } from '../openai/to-model-error.ts';
import { withoutVersion } from './base-url.ts';
import { CALL_ID_RULES, wireCallId } from './call-ids.ts';
import { HttpFailure, NetworkFailure, StreamedFailure } from './failures.ts';
import { redactKey } from './redact.ts';
import { headerDelay } from './retry-delay.ts';
import { type SseEvent, SseParser } from './sse-parser.ts';
import { wireToolName } from './tool-names.ts';

const context = { host: 'api.example.org', apiKey: 'secret-key-0000', modelId: 'm' };
const http = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new HttpFailure(
    'api.example.org',
    status,
    new Headers(headers),
    typeof body === 'string' ? body : JSON.stringify(body),
  );
const openai = (status: number, error: object | string) => openaiError(http(status, { error }), context);
const gemini = (code: number, status: string, message: string, details: object[] = []) =>
  googleError(http(code, { error: { code, status, message, details } }), context);

describe('SseParser', () => {
  const TEXT =
    ': hi\r\nevent: a\r\ndata: 1\r\ndata:2\r\n\r\nid: 7\rdata:  3\r\r\n\ndata\n\nevent: lonely\n\n{"error":1}\ndata: end';
  const EVENTS: SseEvent[] = [{ event: 'a', data: '1\n2' }, { data: ' 3' }, { data: '{"error":1}' }, { data: 'end' }];

  test('reads the same events however the text is cut', () => {
    for (let size = 1; size <= TEXT.length; size++) {
      const parser = new SseParser();
      const events: SseEvent[] = [];
      for (let at = 0; at < TEXT.length; at += size) events.push(...parser.push(TEXT.slice(at, at + size)));
      events.push(...parser.end());
      expect(events, `pieces of ${size}`).toEqual(EVENTS);
    }
  });

  test('gives an event as soon as its blank line has come', () => {
    const parser = new SseParser();
    expect(parser.push('data: x\n')).toEqual([]);
    expect(parser.push('\n')).toEqual([{ data: 'x' }]);
    expect(parser.push('data: y\r\n\r')).toEqual([{ data: 'y' }]);
    expect(parser.push('\n')).toEqual([]);
    expect(parser.end()).toEqual([]);
  });
});

describe('errors', () => {
  test.each([
    [401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }, 'key-refused'],
    [
      403,
      { message: 'Country, region, or territory not supported', code: 'unsupported_country_region_territory' },
      'refused-request',
    ],
    [403, { message: 'You do not have permission', type: 'permission_error' }, 'key-refused'],
    [402, { message: 'Insufficient Balance' }, 'quota'],
    [
      429,
      { message: 'You exceeded your current quota', code: 'insufficient_quota', type: 'insufficient_quota' },
      'quota',
    ],
    [429, { message: 'Rate limit reached: maximum tokens per minute' }, 'rate-limited'],
    [400, { message: "This model's maximum context length is 128000 tokens." }, 'context-too-long'],
    [400, { message: 'x', code: 'context_length_exceeded' }, 'context-too-long'],
    [
      400,
      { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' },
      'context-too-long',
    ],
    [400, { message: 'Trying to keep the first 5000 tokens when context the overflows.' }, 'context-too-long'],
    [413, { message: 'Request too large for model', code: 'rate_limit_exceeded' }, 'context-too-long'],
    [404, { message: 'The model `x` does not exist', code: 'model_not_found' }, 'model-not-found'],
    [404, { message: 'No endpoints found for x' }, 'model-not-found'],
    [404, 'Not found', 'not-supported'],
    [422, { message: 'Input should be a valid list' }, 'refused-request'],
    [
      400,
      { message: 'Failed to call a function.', type: 'invalid_request_error', code: 'tool_use_failed' },
      'server-error',
    ],
    [500, { message: 'oops' }, 'server-error'],
    [502, 'Bad gateway', 'server-error'],
    [408, 'slow', 'server-error'],
    [503, 'loading', 'overloaded'],
  ])('OpenAI and its kin: %i %j is %s', (status, error, code) => {
    expect(openai(status, error).code).toBe(code);
  });

  test.each([
    ['{"detail":"Not enough segments"}', 'Not enough segments'],
    ['{"detail":[{"msg":"field required"}]}', 'field required'],
    ['{"object":"error","message":"bad","code":400}', 'bad'],
    ['{"error":"model requires more system memory"}', 'model requires more system memory'],
    ['[{"error":{"code":400,"message":"from an array"}}]', 'from an array'],
    ['{"success":false,"errors":[{"code":7000,"message":"no such route"}]}', 'no such route'],
    ['{"error":["inputs is too short"]}', 'inputs is too short'],
    ['{"__type":"ValidationException","message":"malformed input"}', 'malformed input'],
    ['{"code":1214,"msg":"bad parameter"}', 'bad parameter'],
    ['{"base_resp":{"status_code":2013,"status_msg":"invalid params"}}', 'invalid params'],
    ['plain words', 'plain words'],
    ['', ''],
  ])('a body such as %s is read', (body, message) => {
    expect(openaiError(http(400, body), context).details).toContain(message);
  });

  test.each([
    'Range of input length should be [1, 30720]',
    'Input token length too long',
    'Invalid request: Your request exceeded model token limit: 8192',
    'Prompt exceeds max length',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens',
    'Input tokens exceed the configured limit of 272000 tokens.',
    'Input is too long for requested model.',
    'invalid params, context window exceeds limit',
    'prompt token count of 130000 exceeds the limit of 128000',
  ])('a history that has grown too long: %s', (message) => {
    expect(openai(400, { message }).code).toBe('context-too-long');
  });

  test.each([
    "Invalid 'tools[0].function.description': string too long. Expected a string with maximum length 1024.",
    'max_tokens is too large: 64000. This model supports at most 4096 completion tokens.',
  ])('not the history: %s', (message) => {
    expect(openai(400, { message }).code).toBe('refused-request');
  });

  test('a request above a minute’s allowance is too long, as waiting never helps', () => {
    const message =
      'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 40000.';
    expect(openai(429, { message, type: 'tokens', code: 'rate_limit_exceeded' }).code).toBe('context-too-long');
  });

  test('what OpenRouter’s provider said counts, beside words that say nothing', () => {
    const told = (status: number, raw: string) =>
      openai(status, { message: 'Provider returned error', code: status, metadata: { raw, provider_name: 'X' } });
    const tooLong =
      '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 2 > 1 maximum"}}';
    expect(told(400, tooLong).code).toBe('context-too-long');
    expect(told(400, '{"error":{"message":"tools.0.name is odd"}}').message).toContain('tools.0.name is odd');
    expect(told(429, 'busy upstream').details).toBe('HTTP 429: Provider returned error: busy upstream');
  });

  test.each([
    [403, '<!DOCTYPE html>\n<html><head><title>Attention Required! | Cloudflare</title></head>', 'refused-request'],
    [404, '<html><head><title>404 Not Found</title></head><body>All our models</body></html>', 'not-supported'],
    [502, '<html>\r\n<body>\r\n<h1>502 Bad\nGateway</h1></body></html>', 'server-error'],
    [503, '<html><body>Back soon</body></html>', 'overloaded'],
  ])('a page with status %i is told by its title', (status, page, code) => {
    const error = openaiError(http(status, page, { 'content-type': 'text/html' }), context);
    expect(error.code).toBe(code);
    expect(error.details).toMatch(
      /^HTTP \d+: a web page(, “(Attention Required! \| Cloudflare|404 Not Found|502 Bad Gateway)”)?$/,
    );
    expect(error.message).not.toContain('<');
  });

  test('Google’s compatible endpoint says when to try again, and which quota does not come back', () => {
    const compatible = (...violations: object[]) => {
      const details = [
        { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '40s' },
      ];
      const message = 'You exceeded your current quota, please check your plan and billing details.';
      return openaiError(
        http(429, [{ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } }]),
        context,
      );
    };
    const perMinute = { quotaId: 'GenerateRequestsPerMinutePerProjectPerModel-FreeTier' };
    expect(compatible(perMinute)).toMatchObject({ code: 'rate-limited', retryAfterMs: 40_000 });
    expect(compatible({ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }).code).toBe('quota');
  });

  test.each([
    [400, 'API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT', 'key-refused'],
    [403, 'Permission denied', 'PERMISSION_DENIED', 'key-refused'],
    [
      400,
      'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
      'INVALID_ARGUMENT',
      'context-too-long',
    ],
    [404, 'models/x is not found for API version v1beta', 'NOT_FOUND', 'model-not-found'],
    [429, 'Resource has been exhausted (e.g. check quota).', 'RESOURCE_EXHAUSTED', 'rate-limited'],
    [503, 'The model is overloaded.', 'UNAVAILABLE', 'overloaded'],
    [400, 'Function call is missing a thought_signature', 'INVALID_ARGUMENT', 'refused-request'],
  ])('Gemini: %i %s', (code, message, status, expected) => {
    expect(gemini(code, status, message).code).toBe(expected);
  });

  test('Gemini says when to try again, and which quota does not come back', () => {
    const retry = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
    const perDay = {
      '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
      violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }],
    };
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    expect(gemini(429, 'RESOURCE_EXHAUSTED', message, [retry])).toMatchObject({
      code: 'rate-limited',
      retryable: true,
      retryAfterMs: 34_500,
    });
    expect(gemini(429, 'RESOURCE_EXHAUSTED', message, [retry, perDay])).toMatchObject({
      code: 'quota',
      retryable: false,
    });
  });

  test.each([
    [{ type: 'overloaded_error', message: 'Overloaded' }, 'overloaded'],
    [{ type: 'rate_limit_error', message: 'x' }, 'rate-limited'],
    [{ type: 'throttlingException', message: 'x' }, 'rate-limited'],
    [{ type: 'api_error', message: 'x' }, 'server-error'],
    [{ type: 'invalid_request_error', message: 'prompt is too long: 2 tokens > 1 maximum' }, 'context-too-long'],
    [{ type: 'invalid_request_error', message: 'Your credit balance is too low' }, 'quota'],
    [{ type: 'authentication_error', message: 'invalid x-api-key' }, 'key-refused'],
    [{ type: 'not_found_error', message: 'model: x' }, 'model-not-found'],
    [{ type: 'invalid_request_error', message: 'messages: odd' }, 'refused-request'],
  ])('Anthropic, in mid-stream: %j is %s', (error, code) => {
    expect(anthropicError(new StreamedFailure('h', { type: 'error', error }), context).code).toBe(code);
  });

  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '1200', 'retry-after': '7' }, 1200],
    [{ 'retry-after': 'Sun, 29 Nov 2026 12:00:30 GMT', date: 'Sun, 29 Nov 2026 12:00:00 GMT' }, 30_000],
    [{ 'retry-after': 'Sun, 29 Nov 2026 12:00:00 GMT', date: 'Sun, 29 Nov 2026 12:00:30 GMT' }, 0],
    [{ 'retry-after': '2026-11-29T12:00:30Z', date: 'Sun, 29 Nov 2026 12:00:00 GMT' }, 30_000],
    [{ 'retry-after': '60s' }, 60_000],
    [{ 'retry-after': '1m30s' }, 90_000],
    [{ 'retry-after': '7, 7' }, 7000],
    [{ 'retry-after': '0x10' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{}, undefined],
  ])('the delay in %j', (headers, delay) => {
    expect(headerDelay(new Headers(headers))).toBe(delay);
  });

  test.each([
    ['Rate limit reached. Please try again in 1.5s.', 1500],
    ['Please try again in 20ms.', 20],
    ['Please try again in 1m26.4s. Visit the page.', 86_400],
    ['Please try again in 6m0s.', 360_000],
    ['Please retry after 26 seconds.', 26_000],
    ['Please retry in 40.07s.', 40_070],
    ['Please try again in a while.', undefined],
    ['Please try again in 5 moments.', undefined],
  ])('the delay in words: %s', (message, delay) => {
    expect(openai(429, { message }).retryAfterMs).toBe(delay);
  });

  test.each([
    ['getaddrinfo ENOTFOUND api.example.org', 'ENOTFOUND', /could not be found/, false],
    ['net::ERR_NAME_NOT_RESOLVED', '', /could not be found/, false],
    ['connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED', /Nothing answers/, false],
    ['self-signed certificate in certificate chain', 'SELF_SIGNED_CERT_IN_CHAIN', /secure connection/, false],
    ['net::ERR_CERT_AUTHORITY_INVALID', '', /secure connection/, false],
    ['net::ERR_PROXY_CONNECTION_FAILED', '', /proxy/, false],
    ['Proxy response (407) !== 200 when HTTP Tunneling', 'UND_ERR_ABORTED', /proxy/, false],
    ['net::ERR_INTERNET_DISCONNECTED', '', /no network connection/, true],
    ['Connect Timeout Error', 'UND_ERR_CONNECT_TIMEOUT', /in time/, true],
    ['read ECONNRESET', 'ECONNRESET', /connection to .* failed/, true],
  ])('no response because of %s', (message, code, words, retryable) => {
    const cause = Object.assign(new Error(message), code && { code });
    const error = openaiError(new NetworkFailure('api.example.org', new TypeError('fetch failed', { cause })), context);
    expect(error).toMatchObject({ code: 'unreachable', retryable });
    expect(error.message).toMatch(words);
    expect(error.message).toContain('api.example.org');
  });

  test('of several addresses that fail, the reason is still found', () => {
    const failed = new AggregateError([Object.assign(new Error('x'), { code: 'ECONNREFUSED' })]);
    const error = openaiError(
      new NetworkFailure('localhost:1', new TypeError('fetch failed', { cause: failed })),
      context,
    );
    expect(error.message).toBe('Nothing answers at localhost:1.');
  });

  test('the key is in no part of an error', () => {
    const body = {
      error: { message: 'Key secret-key-0000 (sk-abcdef123456) is bad: https://x/?key=zzz', code: 'invalid_api_key' },
    };
    for (const failure of [
      http(401, body),
      http(400, body),
      new StreamedFailure('h', body),
      new NetworkFailure('h', new Error('secret-key-0000')),
    ]) {
      const error = openaiError(failure, context);
      expect(JSON.stringify(error.toInfo())).not.toMatch(/secret-key-0000|abcdef|zzz/);
      expect(error.cause).toBeUndefined();
    }
  });
});

describe('redactKey', () => {
  test.each([
    ['Bearer abc.def', 'Bearer [key]'],
    ['key sk-proj-AbCdEf123', 'key [key]'],
    ['?key=AIzaSyA1234567890&x=1', '?key=[key]&x=1'],
    ['nothing here', 'nothing here'],
  ])('%s', (text, redacted) => {
    expect(redactKey(text, undefined)).toBe(redacted);
  });

  test('a placeholder for a key does not garble the text', () => {
    expect(redactKey('ollama is not running', 'ollama')).toBe('ollama is not running');
  });
});

test.each([
  ['https://x.org/v1/', 'https://x.org'],
  ['https://x.org', 'https://x.org'],
  [' https://x.org/api/v1 ', 'https://x.org/api'],
])('%s without its version', (url, without) => {
  expect(withoutVersion(url, 'v1')).toBe(without);
});

test.each(['mcp__a__b', 'functions.x', '21st demo', '天気', '', 'x'.repeat(100)])(
  'the name %s is legal on every wire',
  (name) => {
    expect(wireToolName(name)).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
  },
);

test.each(['call_1', 'functions.f:0', '', 'x'.repeat(200), '天'])('the id %s is legal on every wire', (id) => {
  expect(wireCallId(id, CALL_ID_RULES.common)).toMatch(CALL_ID_RULES.common.legal);
  expect(wireCallId(id, CALL_ID_RULES.nineLetters)).toMatch(CALL_ID_RULES.nineLetters.legal);
  expect(wireCallId(id, CALL_ID_RULES.common)).toBe(wireCallId(id, CALL_ID_RULES.common));
});
