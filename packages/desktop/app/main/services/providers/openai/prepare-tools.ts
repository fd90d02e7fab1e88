import type { OpenAITool } from '../../ports/tool-formats.ts';
import { limitTools } from '../wire/limit-tools.ts';

/** Most tools that OpenAI takes in one request; a longer list is refused as a whole. */
const MAX_TOOLS = 128;

/** For Chat Completions. Third-party tools are never strict: strict mode forbids maps and optional keys. */
export function prepareChatTools(tools: OpenAITool[], onLeftOut?: (names: string[], reason: string) => void) {
  return keep(tools, onLeftOut).map(({ function: fn }) => ({
    type: 'function' as const,
    function: { ...described(fn), parameters: { ...fn.parameters }, strict: false },
  }));
}

/** For Responses, which is strict unless told otherwise. */
export function prepareResponsesTools(tools: OpenAITool[], onLeftOut?: (names: string[], reason: string) => void) {
  return keep(tools, onLeftOut).map(({ function: fn }) => ({
    type: 'function' as const,
    ...described(fn),
    parameters: { ...fn.parameters },
    strict: false,
  }));
}

const keep = (tools: OpenAITool[], onLeftOut?: (names: string[], reason: string) => void): OpenAITool[] =>
  limitTools(tools, MAX_TOOLS, (tool) => tool.function.name, onLeftOut);

const described = ({ name, description }: OpenAITool['function']): { name: string; description?: string } =>
  description.trim() === '' ? { name } : { name, description };
