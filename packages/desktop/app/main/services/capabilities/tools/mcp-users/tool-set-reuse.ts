import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { ToolFormat } from '../../../ports/tool-formats.ts';

/**
 * What was made of the pool's tools for the last request, for the next one while the tools are the very same: a server whose
 * list has changed gives other objects. The pool is asked every time.
 */
export class ToolSetReuse<Made> {
  #last: { tools: readonly MCPTool[]; format: ToolFormat; made: Made } | undefined;

  /** @param make what to make of these tools, where they aren't those of the call before */
  get(tools: readonly MCPTool[], format: ToolFormat, make: () => Made): Made {
    const last = this.#last;
    if (last && last.format === format && isSame(last.tools, tools)) return last.made;
    // A list of its own: whoever gave this one may go on changing it.
    this.#last = { tools: [...tools], format, made: make() };
    return this.#last.made;
  }
}

const isSame = (a: readonly MCPTool[], b: readonly MCPTool[]): boolean =>
  a.length === b.length && a.every((tool, index) => tool === b[index]);
