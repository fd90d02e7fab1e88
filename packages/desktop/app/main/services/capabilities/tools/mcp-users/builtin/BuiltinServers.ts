import { type BuiltinName, builtinNameSchema } from '@shared/contracts/mcp-builtin.contract.ts';
import type { BuiltinOptions, McpServerView } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { McpService } from '../McpService.ts';
import { checkBuiltinOptions } from './builtin-config.ts';

/** Of which there can be more than one, each with folders of its own. Two memories would write over one another's file. */
const MANY: ReadonlySet<BuiltinName> = new Set(['folders']);
const OFFERED: readonly BuiltinName[] = ['folders', 'memory', 'files'];

export interface BuiltinServersOptions {
  mcp: Pick<McpService, 'listServers' | 'addChosenBuiltin' | 'updateBuiltin'>;
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

  /**
   * Gives one another name and other options, and restarts it, and no other, where those changed.
   * @throws AppError `not-found`, `invalid-config` (it doesn't come with the app; a folder that isn't), `name-taken`, `store-failed`
   */
  async edit(serverId: string, name: string, options: BuiltinOptions = {}): Promise<McpServerView> {
    const found = this.#mcp.listServers().find(({ server }) => server.id === serverId)?.server;
    if (!found) throw new AppError('not-found', 'This server does not exist any more.');
    const builtin = builtinNameSchema.safeParse(found.builtin);
    if (!builtin.success) throw new AppError('invalid-config', `“${found.name}” can’t be edited here.`);
    return this.#mcp.updateBuiltin(serverId, { name, options: checkBuiltinOptions(builtin.data, options) });
  }

  #isThere(builtin: BuiltinName): boolean {
    return this.#mcp.listServers().some(({ server }) => server.builtin === builtin);
  }
}
