import { randomUUID } from 'node:crypto';
import type { McpServerDraft, McpServerStatus } from '@shared/contracts/mcp.contract.ts';
import type { FoundMcpServer, McpImportOutcome, McpImportSource } from '@shared/contracts/mcp-import.contract.ts';
import type { McpServerRecord, McpServerView } from '@shared/contracts/mcp-types.ts';
import { AppError, toErrorInfo } from '../../../../ports/errors.ts';
import { compareServer } from './diff.ts';
import { toMcpServersJson } from './export-servers.ts';
import { findSources, type Source } from './find-sources.ts';
import { fillInputs, inputIdsOf, inputsOf, unknownPlaceholders } from './placeholders.ts';
import type { FoundServer } from './shapes.ts';
import { type Machine, PROGRAMS } from './sources.ts';

/** What an import needs of the pool. */
export interface ImportTarget {
  listServers(): McpServerStatus[];
  /** With secrets in plain. Throws AppError `secret-unreadable`. */
  openServer(serverId: string): Promise<McpServerRecord>;
  addImported(draft: McpServerDraft): Promise<Imported>;
  replaceImported(serverId: string, draft: McpServerDraft): Promise<Imported>;
}

/** A server that was taken over: switched off, without consent. */
export interface Imported {
  server: McpServerView;
  /** Takes it back. False when the server was changed since, or is gone: then nothing is done. */
  undo: () => Promise<boolean>;
}

/** Where an export goes. */
export interface ExportPlaces {
  /** Lets the person choose a file and writes it, readable by nobody else. Undefined when the person didn't. */
  saveFile(suggestedName: string, text: string): Promise<string | undefined>;
  copyText(text: string): Promise<void>;
}

export interface Pick {
  key: string;
  replace: boolean;
  inputs: Readonly<Record<string, string>>;
}

type Undo = Imported['undo'];

/** As many as a person may still have in view. */
const MAX_UNDO = 5;

interface Scan {
  id: string;
  found: ReadonlyMap<string, FoundServer>;
  outcomes: Map<string, McpImportOutcome>;
  undo: Undo[];
}

/**
 * Takes servers over from other programs on this machine. Their files are read when {@link scan} is called and at no other
 * time, and never written. Secrets stay in here: what goes out has their names.
 */
export class McpImport {
  readonly #target: ImportTarget;
  readonly #machine: Machine;
  readonly #places: ExportPlaces;
  #scan: Scan | undefined;
  /** The last imports, each with how to take it back. */
  readonly #undo = new Map<string, Undo[]>();

  constructor(target: ImportTarget, machine: Machine, places: ExportPlaces) {
    this.#target = target;
    this.#machine = machine;
    this.#places = places;
  }

  /** Reads the other programs' files. A new scan ends the last one. */
  async scan(): Promise<{ scanId: string; sources: McpImportSource[]; programs: string[] }> {
    const sources = await findSources(this.#machine);
    const here = await this.#serversHere();
    const found = new Map<string, FoundServer>();
    const views = sources.map((source, at): McpImportSource => {
      const { program, path, project, error, problems } = source;
      const servers = source.servers.map((server, index) => {
        const key = `${at}.${index}`;
        found.set(key, server);
        return viewOf(key, server, source, here);
      });
      return { id: String(at), program, path, project, error, servers, problems };
    });
    this.#scan = { id: randomUUID(), found, outcomes: new Map(), undo: [] };
    return { scanId: this.#scan.id, sources: views, programs: PROGRAMS.map(({ name }) => name) };
  }

  /**
   * Adds what the person saw and ticked, switched off and without consent. One that fails keeps none of the others out.
   * @throws AppError `scan-gone`; `weak-secrets`, upon which the same call goes on where it stopped
   */
  async apply(scanId: string, picks: readonly Pick[]): Promise<{ outcomes: McpImportOutcome[]; undoId?: string }> {
    const scan = this.#scan;
    if (scan?.id !== scanId) {
      throw new AppError('scan-gone', 'This list is out of date.', { hint: 'Look for the servers again.' });
    }
    const here = await this.#serversHere();
    for (const pick of picks) {
      const server = scan.found.get(pick.key);
      if (!server || scan.outcomes.has(pick.key)) continue;
      scan.outcomes.set(pick.key, await this.#take(scan, server, pick, here));
    }
    const outcomes = picks.flatMap(({ key }) => scan.outcomes.get(key) ?? []);
    // One that failed may be tried once more.
    for (const { key, outcome } of outcomes) if (outcome === 'failed') scan.outcomes.delete(key);
    const steps = scan.undo.splice(0);
    if (steps.length === 0) return { outcomes };
    const undoId = randomUUID();
    this.#undo.set(undoId, steps);
    const [oldest] = this.#undo.keys();
    if (this.#undo.size > MAX_UNDO && oldest !== undefined) this.#undo.delete(oldest);
    return { outcomes, undoId };
  }

  /** Takes an import back. What was edited or switched on since stays as it is. */
  async undo(undoId: string): Promise<{ undone: number; kept: number }> {
    const steps = this.#undo.get(undoId);
    if (!steps) throw new AppError('scan-gone', 'This can not be taken back any more.');
    this.#undo.delete(undoId);
    let undone = 0;
    for (const step of steps.toReversed()) if (await step()) undone += 1;
    return { undone, kept: steps.length - undone };
  }

  /**
   * Writes all servers but those that come with the app as `mcpServers` JSON. `path` is null for the clipboard, and absent
   * when the person chose no file.
   * @throws AppError `secret-unreadable`, `write-failed`
   */
  async exportServers(options: { secrets: boolean; to: 'file' | 'clipboard' }) {
    const own = this.#target.listServers().filter(({ server }) => server.builtin === undefined);
    const servers: McpServerRecord[] = [];
    for (const { server } of own) {
      servers.push(options.secrets ? await this.#target.openServer(server.id) : withoutValues(server));
    }
    const text = toMcpServersJson(servers, options);
    const count = servers.length;
    if (options.to === 'file') return { count, path: await this.#places.saveFile('mcp-servers.json', text) };
    await this.#places.copyText(text);
    return { count, path: null };
  }

  /** @param here the servers that are here; what is taken is added to it */
  async #take(scan: Scan, found: FoundServer, pick: Pick, here: McpServerRecord[]): Promise<McpImportOutcome> {
    const { key } = pick;
    const draft = fillInputs(found.draft, pick.inputs);
    const { name } = draft;
    try {
      const missing = inputIdsOf(draft.config);
      if (missing.length > 0) throw new AppError('invalid-input', `A value is missing: ${missing.join(', ')}.`);
      // Something may have changed since the scan: another of the picks may be the same.
      const { status, existing } = compareServer(draft, here);
      if (status === 'same') return { key, name: existing?.name ?? name, outcome: 'same' };
      const replaced = pick.replace && status === 'changed' ? existing : undefined;
      const { server, undo } = replaced
        ? await this.#target.replaceImported(replaced.id, draft)
        : await this.#target.addImported(draft);
      scan.undo.push(undo);
      const old = here.findIndex(({ id }) => id === server.id);
      here.splice(old < 0 ? here.length : old, 1, { ...draft, id: server.id, name: server.name, enabled: false });
      return { key, name: server.name, outcome: replaced ? 'replaced' : 'added' };
    } catch (error) {
      if (error instanceof AppError && error.code === 'weak-secrets') throw error;
      return { key, name, outcome: 'failed', error: toErrorInfo(error) };
    }
  }

  /** A server whose secrets can't be opened is compared by everything else. */
  async #serversHere(): Promise<McpServerRecord[]> {
    return Promise.all(
      this.#target
        .listServers()
        .map(({ server }) => this.#target.openServer(server.id).catch(() => withoutValues(server))),
    );
  }
}

function viewOf(key: string, { draft, notes }: FoundServer, source: Source, here: McpServerRecord[]): FoundMcpServer {
  const { name, type } = draft;
  const { env = {}, headers = {}, command, args, cwd, url } = draft.config;
  return {
    key,
    name,
    type,
    config: { command, args, cwd, url, envNames: Object.keys(env), headerNames: Object.keys(headers) },
    ...compareServer(draft, here),
    inputs: inputsOf(draft.config, source.inputs),
    notes,
    unknownPlaceholders: unknownPlaceholders(draft.config),
  };
}

/** A server as the renderer sees it, as a record whose values are empty. */
function withoutValues({ id, name, type, enabled, builtin, config }: McpServerView): McpServerRecord {
  const { command, args, cwd, url, envNames, headerNames } = config;
  const empty = (names: string[]) => Object.fromEntries(names.map((each) => [each, '']));
  const values = { env: empty(envNames), headers: empty(headerNames) };
  return { id, name, type, enabled, builtin, config: { command, args, cwd, url, ...values } };
}
