import type { ITool } from './tools/ITool.ts';
import { ToolRegistry } from './tools/ToolRegistry.ts';
import type { Workspace } from './workspace.ts';

/** Where the tools of a run work. */
export interface ToolPlace {
  conversationId: string;
  workspace: Workspace;
}

/** Makes some of the built-in tools for one run. Their names and descriptions are the same everywhere. */
export type ToolSource = (place: ToolPlace) => ITool[];

/** Puts the built-in tools of an agent together. */
export class TinyElfToolRegistryBuilder {
  readonly #sources: readonly ToolSource[];

  constructor(sources: readonly ToolSource[]) {
    this.#sources = sources;
  }

  /** @param allowedNames the tools that this agent has; names that no tool has are no error. Default: all there are */
  buildToolRegistry(place: ToolPlace, allowedNames?: Iterable<string>): ToolRegistry {
    const registry = new ToolRegistry();
    for (const makeTools of this.#sources) registry.registerAll(makeTools(place));
    return allowedNames ? registry.createFiltered(allowedNames) : registry;
  }
}
