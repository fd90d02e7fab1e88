import { expect, onTestFinished } from 'vitest';
import {
  type ModelResponse,
  type ModelScript,
  type ModelServer,
  type ModelServerFormat,
  type ModelServerOptions,
  startModelServer,
  TEST_KEY,
} from '../../../../../../../e2e/fixtures/model-servers/index.ts';
import { ModelError } from '../../ports/errors.ts';
import type { AssistantContent, ModelMessage, ModelPort, ModelRequest, StreamPart } from '../../ports/model.ts';
import type { AnthropicTool, GeminiTools, OpenAITool, ProviderTools } from '../../ports/tool-formats.ts';
import { createModelPort, type ProviderConfig, type WireFormat } from '../index.ts';

/** A server of this format with a script, for one test, and a port to it. */
export async function start(
  format: ModelServerFormat,
  script: ModelScript,
  options?: ModelServerOptions,
  config?: Partial<ProviderConfig>,
): Promise<{ port: ModelPort; server: ModelServer }> {
  const server = await startModelServer(format, script, options);
  onTestFinished(() => server.close());
  return { port: portTo(format, server, config), server };
}

const portTo = (format: WireFormat, to: ModelServer, config?: Partial<ProviderConfig>): ModelPort =>
  createModelPort(format, { providerId: 'p', baseUrl: to.url, apiKey: TEST_KEY, fetch, ...config });

const schema = (name: string) => ({
  type: 'object' as const,
  properties: { [name]: { type: 'string', description: 'What to look for' } },
  required: [] as string[],
});
const NOTHING = { type: 'object' as const, properties: {}, required: [] };

export function toolsFor(port: ModelPort, count = 2): ProviderTools {
  const names = [
    'mcp__files__find',
    'mcp__files__now',
    ...Array.from({ length: count - 2 }, (_, i) => `mcp__many__t${i}`),
  ];
  const all = names.map((name, i) => ({
    name,
    description: `Tool ${name}`,
    schema: i === 1 ? NOTHING : schema('query'),
  }));
  switch (port.toolFormat) {
    case 'openai':
      return all.map(
        ({ name, description, schema: parameters }): OpenAITool => ({
          type: 'function',
          function: { name, description, parameters },
        }),
      );
    case 'anthropic':
      return all.map(
        ({ name, description, schema: input_schema }): AnthropicTool => ({ name, description, input_schema }),
      );
    case 'google':
      return [
        {
          functionDeclarations: all.map(({ name, description, schema: parameters }) => ({
            name,
            description,
            parameters,
          })),
        },
      ] satisfies GeminiTools;
  }
}

export async function collect(
  port: ModelPort,
  request: Partial<ModelRequest> & { modelId: string },
): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  const whole = { messages: [{ role: 'user', text: 'Find it' }], signal: new AbortController().signal, ...request };
  for await (const part of port.stream(whole as ModelRequest)) parts.push(part);
  return parts;
}

type TextPart = Extract<AssistantContent, { text: string }>;

/** What a turn stores of a response. Checks on the way that the parts keep to the port's rules. */
export function contentOf(parts: StreamPart[]): AssistantContent[] {
  const content: AssistantContent[] = [];
  let open: TextPart | undefined;
  const writing = (type: 'text' | 'reasoning'): TextPart => {
    if (open?.type === type) return open;
    const part: TextPart = { type, text: '' };
    content.push(part);
    open = part;
    return part;
  };
  expect(parts.filter((part) => part.type === 'finish')).toHaveLength(1);
  expect(parts.at(-1)?.type).toBe('finish');
  for (const part of parts) {
    switch (part.type) {
      case 'text-delta':
        writing('text').text += part.text;
        break;
      case 'reasoning-delta':
        writing('reasoning').text += part.text;
        break;
      case 'text-end':
      case 'reasoning-end':
        writing(part.type === 'text-end' ? 'text' : 'reasoning').providerData = part.providerData;
        open = undefined;
        break;
      case 'tool-call-start':
        open = undefined;
        break;
      case 'tool-call-end': {
        const { callId, name, argsText, providerData } = part;
        content.push({ type: 'tool-call', callId, name, args: JSON.parse(argsText || '{}'), providerData });
        break;
      }
      default:
    }
  }
  return content;
}

export const textOf = (content: AssistantContent[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

export const resultsFor = (content: AssistantContent[], more: object = {}): ModelMessage => ({
  role: 'tool',
  results: content.flatMap((part) =>
    part.type === 'tool-call'
      ? [{ callId: part.callId, name: part.name, isError: false, text: 'found 日', ...more }]
      : [],
  ),
});

export async function failureOf(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => undefined,
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error;
}

export const CALLING: ModelResponse = [
  { reasoning: 'The user wants it found.' },
  { text: 'I will look. ' },
  { toolCall: { name: 'mcp__files__find', args: { query: 'a "b" 日' } } },
  { toolCall: { name: 'mcp__files__now' } },
];
