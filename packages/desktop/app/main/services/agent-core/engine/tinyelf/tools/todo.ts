import { todoItemSchema } from '@shared/contracts/agent-types.ts';
import { z } from 'zod';
import type { ITool } from './ITool.ts';
import { parametersOf, readParameters } from './parameters.ts';

const parameters = z.strictObject({
  items: z
    .array(todoItemSchema.extend({ text: z.string().trim().min(1).max(500) }))
    .max(100)
    .describe('The whole list, in order; it replaces the one before.'),
});

/** TodoWrite: the list of what is to be done, as the person sees it. */
export function createTodoTool(): ITool {
  return {
    name: 'TodoWrite',
    description:
      'Keeps the list of what is to be done, which the person sees. Use it for work of several steps, and write it anew whenever a step begins or is done. At most one item is in-progress.',
    parameters: parametersOf(parameters),
    risk: 'safe',
    async execute(params, context) {
      const read = readParameters(parameters, params);
      if (!read.ok) return read.problem;
      const { items } = read.value;
      const count = (status: string) => items.filter((item) => item.status === status).length;
      if (count('in-progress') > 1) return 'Error: More than one item is in-progress. The list was not changed.';
      context?.onDisplay?.({ kind: 'todo', items });
      return `The list was written: ${count('done')} done, ${count('in-progress')} in progress, ${count('pending')} pending.`;
    },
  };
}
