import { MAX_TOOLS, type OpenAITool } from '../../ports/tool-formats.ts';
import type { RecipeRequest } from '../recipe.ts';
import { limitTools } from '../wire/limit-tools.ts';

/** Longest description for an endpoint that refuses longer ones, and how much of it is the beginning. */
const MAX_DESCRIPTION = 1024;
const HEAD = 700;

type Request = Pick<RecipeRequest, 'tools' | 'without' | 'onToolsLeftOut'>;

/** For Chat Completions. Third-party tools are never strict: strict mode forbids maps and optional keys. */
export const prepareChatTools = (request: Request) =>
  functionsOf(request).map((fn) => ({ type: 'function' as const, function: fn }));

/** For Responses, which is strict unless told otherwise. */
export const prepareResponsesTools = (request: Request) =>
  functionsOf(request).map((fn) => ({ type: 'function' as const, ...fn }));

function functionsOf({ tools, without, onToolsLeftOut }: Request) {
  // Format `openai`, which both recipes name, gives tools of this shape.
  const all = (tools ?? []) as OpenAITool[];
  const shorten = without.has('long-descriptions');
  return limitTools(all, MAX_TOOLS.openai, (tool) => tool.function.name, onToolsLeftOut).map(
    ({ function: { name, description, parameters } }) => ({
      name,
      ...(description.trim() !== '' && { description: shorten ? shortened(description) : description }),
      parameters: { ...parameters },
      strict: false,
    }),
  );
}

/** Beginning and end: rules for the arguments, and whether the tool only reads, stand last. */
function shortened(text: string): string {
  if (text.length <= MAX_DESCRIPTION) return text;
  const tail = text.slice(text.length - (MAX_DESCRIPTION - HEAD - 3));
  return `${text.slice(0, HEAD)} … ${tail}`.toWellFormed();
}
