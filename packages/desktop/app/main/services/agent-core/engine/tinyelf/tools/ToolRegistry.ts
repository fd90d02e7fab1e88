import { convertMcpToolsToOpenAI, type OpenAITool } from '../../../../capabilities/tools/mcp-users/ToolsLoader.ts';
import type { ITool } from './ITool.ts';
import { toMcpTool } from './to-mcp-tool.ts';

/** A tool that was refused, and the one that has its name. */
export interface ToolCollision {
  kept: ITool;
  refused: ITool;
}

/** The tools of an agent, by the names that the model calls them by, in the order in which they were registered. */
export class ToolRegistry {
  readonly #tools = new Map<string, ITool>();
  readonly #collisions: ToolCollision[] = [];

  /** Tools that were refused because an earlier one has their name. */
  get collisions(): readonly ToolCollision[] {
    return this.#collisions;
  }

  /** False when the name is taken: the earlier tool stays, and the later one is among {@link collisions}. */
  register(tool: ITool): boolean {
    const kept = this.#tools.get(tool.name);
    if (kept === tool) return true;
    if (kept) {
      this.#collisions.push({ kept, refused: tool });
      return false;
    }
    this.#tools.set(tool.name, tool);
    return true;
  }

  registerAll(tools: Iterable<ITool>): void {
    for (const tool of tools) this.register(tool);
  }

  /** False when there is no such tool. */
  unregister(name: string): boolean {
    return this.#tools.delete(name);
  }

  get(name: string): ITool | undefined {
    return this.#tools.get(name);
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  getAll(): ITool[] {
    return [...this.#tools.values()];
  }

  getNames(): string[] {
    return [...this.#tools.keys()];
  }

  /** The tools as OpenAI's API takes them. Shared between calls: don't change them. */
  getDefinitions(): OpenAITool[] {
    return convertMcpToolsToOpenAI(this.getAll().map(toMcpTool));
  }

  /** A registry of its own with those of the tools whose names are allowed. Names that it doesn't have are no error. */
  createFiltered(allowedNames: Iterable<string>): ToolRegistry {
    const allowed = new Set(allowedNames);
    const filtered = new ToolRegistry();
    filtered.registerAll(this.getAll().filter(({ name }) => allowed.has(name)));
    return filtered;
  }
}
