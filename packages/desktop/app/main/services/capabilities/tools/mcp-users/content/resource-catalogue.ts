import { UriTemplate } from '@modelcontextprotocol/client';
import type { CallOutput } from '@shared/contracts/contract.ts';
import type { McpContentContract } from '@shared/contracts/mcp-content.contract.ts';
import type { AttachmentPart, McpResource, McpResourceTemplate } from '@shared/contracts/mcp-content-types.ts';
import { AppError } from '../../../../ports/errors.ts';
import { isNotSupported } from '../connection-errors.ts';
import { type Cursor, type Listed, readListPages } from '../list-pages.ts';
import type { McpConnection } from '../mcp-connection.ts';
import { RpcError } from '../transports/errors.ts';
import { CachedListing } from './cached-listing.ts';
import { answerOf, type ContentServers, requestLimits } from './content-servers.ts';
import { readContents, readResource, readTemplate } from './lenient-content.ts';

type Listing = CallOutput<McpContentContract, 'resources'>;
type Limits = ReturnType<typeof requestLimits>;

const NONE: Listing = { supported: false, resources: [], templates: [], rejected: [] };

/** The resources and templates of one server. */
export class ResourceCatalogue {
  readonly #serverId: string;
  readonly #servers: ContentServers;
  readonly #listing: CachedListing<Listing>;

  constructor(serverId: string, servers: ContentServers) {
    this.#serverId = serverId;
    this.#servers = servers;
    this.#listing = new CachedListing(() =>
      servers.request(serverId, 'to list its resources', (connection, limits) =>
        list(connection, requestLimits(limits)),
      ),
    );
  }

  /** @throws AppError when the server can't be asked */
  list(refresh?: boolean): Promise<Listing> {
    return this.#listing.get(refresh);
  }

  invalidate(): void {
    this.#listing.invalidate();
  }

  /**
   * The content of a resource in the form in which it is shown and sent: cut where it is too large.
   * @throws AppError when it can't be read, or there is nothing in it
   */
  async read(
    resource: { uri: string; name: string; serverName: string },
    signal = new AbortController().signal,
  ): Promise<AttachmentPart[]> {
    const { uri, name, serverName } = resource;
    const result = await this.#servers.request(
      this.#serverId,
      `to give “${name}”`,
      (connection, limits) => {
        if (!connection.offers.resources) throw notOffered(serverName);
        return connection.requestAsking('resources/read', { uri }, { ...requestLimits(limits), signal });
      },
      signal,
    );
    const parts = readContents(answerOf(result), { serverId: this.#serverId, serverName, uri, name });
    if (parts.length === 0) throw new AppError('refused', `There is nothing in “${name}” of “${serverName}”.`);
    return parts;
  }
}

const notOffered = (serverName: string) =>
  new AppError('not-supported', `The server “${serverName}” does not offer resources.`);

async function list(connection: McpConnection, limits: Limits): Promise<{ value: Listing; ttlMs?: number }> {
  if (!connection.offers.resources) return { value: NONE };
  const resources = await orNone(
    readListPages<McpResource>((cursor) => page(connection, 'resources/list', cursor, limits), {
      field: 'resources',
      things: 'resources',
      read: readResource,
      keyOf: ({ uri }) => uri,
    }),
  );
  // Whatever is wrong with the templates is no reason to hide the resources.
  const templates = await orNone(
    readListPages<McpResourceTemplate>((cursor) => page(connection, 'resources/templates/list', cursor, limits), {
      field: 'resourceTemplates',
      things: 'templates',
      read: readTemplate,
      keyOf: ({ uriTemplate }) => uriTemplate,
    }),
    (error) => ({ ...EMPTY, warnings: [`Its templates can not be listed: ${error.message}`] }),
  );
  if (!resources && !templates) return { value: NONE };
  const rejected = [resources, templates].flatMap((listed) => [
    ...(listed?.rejected ?? []),
    ...(listed?.warnings ?? []).map((reason) => ({ name: '(list)', reason })),
  ]);
  const value = {
    supported: true,
    resources: resources?.entries ?? [],
    templates: templates?.entries ?? [],
    rejected,
  };
  const lifetimes = [resources?.ttlMs, templates?.ttlMs].filter((ttlMs) => ttlMs !== undefined);
  return { value, ...(lifetimes.length > 0 && { ttlMs: Math.min(...lifetimes) }) };
}

const EMPTY: Listed<never> = { entries: [], rejected: [], warnings: [], ttlMs: undefined };

/** Undefined for a list that the server doesn't know. */
async function orNone<Entry>(
  listed: Promise<Listed<Entry>>,
  onRefused?: (error: RpcError) => Listed<Entry>,
): Promise<Listed<Entry> | undefined> {
  try {
    return await listed;
  } catch (error) {
    if (isNotSupported(error)) return undefined;
    if (onRefused && error instanceof RpcError) return onRefused(error);
    throw error;
  }
}

const page = (connection: McpConnection, method: string, cursor: Cursor | undefined, limits: Limits) =>
  connection.request(method, cursor === undefined ? {} : { cursor }, limits);

/** The address that a template makes of values. @throws AppError `refused` when it makes none */
export function expandTemplate(uriTemplate: string, values: Record<string, string>): string {
  try {
    const uri = new UriTemplate(uriTemplate).expand(values);
    if (uri !== '') return uri;
  } catch {
    // As below.
  }
  throw new AppError('refused', 'These values make no address.', { hint: 'Check them and try again.' });
}
