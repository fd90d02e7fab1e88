import type { BuiltinName } from '@shared/contracts/mcp-builtin.contract.ts';
import type { BuiltinOptions, McpServerView } from '@shared/contracts/mcp-types.ts';
import type { McpService } from '../McpService.ts';
import { checkBuiltinOptions } from './builtin-config.ts';

/** Of which there can be more than one, each with folders of its own. Two memories would write over one another's file. */
const MANY: ReadonlySet<BuiltinName> = new Set(['folders']);
const OFFERED: readonly BuiltinName[] = ['folders', 'memory', 'files'];

export interface BuiltinServersOptions {
  mcp: Pick<McpService, 'listServers' | 'addChosenBuiltin'>;
  /** Lets the person choose folders; empty when they cancel. */
  chooseFolders: () => Promise<string[]>;
}

/** The servers that come with the app, as a person adds them. */
export class BuiltinServers {
  readonly #mcp: BuiltinServersOptions['mcp'];
  readonly chooseFolders: () => Promise<string[]>;

  constructor({ mcp, chooseFolders }: BuiltinServersOptions) {
    this.#mcp = mcp;
    this.chooseFolders = chooseFolders;
  }

  offers(): { builtin: BuiltinName; added: boolean }[] {
    return OFFERED.map((builtin) => ({ builtin, added: !MANY.has(builtin) && this.#isThere(builtin) }));
  }

  /**
   * Adds one, switched on. The person saw what it may do: that is the consent for it.
   * @throws AppError `invalid-config` (it is there already; a folder that isn't), `name-taken`, `store-failed`
   */
  async add(builtin: BuiltinName, name?: string, options: BuiltinOptions = {}): Promise<McpServerView> {
    const checked = checkBuiltinOptions(builtin, options);
    return this.#mcp.addChosenBuiltin({ builtin, name, options: checked, isSingle: !MANY.has(builtin) });
  }

  #isThere(builtin: BuiltinName): boolean {
    return this.#mcp.listServers().some(({ server }) => server.builtin === builtin);
  }
}
