import { isAbsolute } from 'node:path';
import type { ServerGrants as Grants, McpLogLevel } from '@shared/contracts/mcp-requests.contract.ts';
import { serverGrantsSchema } from '@shared/contracts/mcp-requests.contract.ts';
import { AppError } from '../../../../ports/errors.ts';
import type { DocumentStore } from '../../../../ports/infrastructure.ts';
import { Emitter } from '../emitter.ts';

const NONE: Grants = { roots: [], logLevel: null };
const MAX_ROOTS = 100;

export interface ServerGrantsDeps {
  store: DocumentStore;
  /** Asks for a folder with the system's dialog; undefined when the person cancels. */
  chooseFolder: () => Promise<string | undefined>;
  onError: (error: unknown) => void;
}

export type ServerGrantsEvents = {
  roots: { serverId: string };
  logLevel: { serverId: string; level: McpLogLevel | null };
};

/** What the person grants each server besides running: the folders that it is told of (roots), and how much it logs. */
export class ServerGrants {
  readonly events: Emitter<ServerGrantsEvents>;
  readonly #deps: ServerGrantsDeps;
  readonly #grants = new Map<string, Grants>();

  constructor(deps: ServerGrantsDeps) {
    this.#deps = deps;
    this.events = new Emitter(deps.onError);
    const { servers } = (deps.store.read() ?? {}) as { servers?: unknown };
    for (const [id, value] of Object.entries((servers ?? {}) as Record<string, unknown>)) {
      const parsed = serverGrantsSchema.safeParse(value);
      if (parsed.success) this.#grants.set(id, parsed.data);
    }
  }

  of(serverId: string): Grants {
    return this.#grants.get(serverId) ?? NONE;
  }

  /** Lets the person choose a folder. @throws AppError `refused`, `store-failed` */
  async addRoot(serverId: string): Promise<Grants> {
    const folder = await this.#deps.chooseFolder();
    const grants = this.of(serverId);
    if (folder === undefined || grants.roots.includes(folder)) return grants;
    if (!isAbsolute(folder) || grants.roots.length >= MAX_ROOTS) {
      throw new AppError('refused', `This folder can’t be added. A server can have ${MAX_ROOTS} folders.`);
    }
    return this.#setRoots(serverId, [...grants.roots, folder]);
  }

  /** @throws AppError `store-failed` */
  removeRoot(serverId: string, folder: string): Grants {
    return this.#setRoots(
      serverId,
      this.of(serverId).roots.filter((root) => root !== folder),
    );
  }

  /** @throws AppError `store-failed` */
  setLogLevel(serverId: string, level: McpLogLevel | null): Grants {
    const grants = this.#set(serverId, { ...this.of(serverId), logLevel: level });
    this.events.emit('logLevel', { serverId, level });
    return grants;
  }

  /** Forgets the grants of servers that are not there any more: an id is never used again, so only space is won. */
  keepOnly(serverIds: Iterable<string>): void {
    const known = new Set(serverIds);
    const gone = [...this.#grants.keys()].filter((id) => !known.has(id));
    if (gone.length === 0) return;
    for (const id of gone) this.#grants.delete(id);
    this.#write(this.#grants);
  }

  #setRoots(serverId: string, roots: string[]): Grants {
    const grants = this.#set(serverId, { ...this.of(serverId), roots });
    this.events.emit('roots', { serverId });
    return grants;
  }

  #set(serverId: string, grants: Grants): Grants {
    this.#write(new Map(this.#grants).set(serverId, grants));
    this.#grants.set(serverId, grants);
    return grants;
  }

  #write(grants: ReadonlyMap<string, Grants>): void {
    this.#deps.store.write({ version: 1, servers: Object.fromEntries(grants) });
  }
}
