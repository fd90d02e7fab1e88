import { randomUUID } from 'node:crypto';
import type { Transport } from '@modelcontextprotocol/client';
import type { BuiltinOptions, McpServerConfig, McpServerRecord, RejectedTool } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import type { Clock, Fetch } from '../../../ports/infrastructure.ts';
import type { ProcessPort } from '../../../ports/processes.ts';
import { explainConnectFailure, isFolderMissing } from './connection-errors.ts';
import { expandConfig } from './expand-config.ts';
import { mayInstall } from './installers.ts';
import { type ConnectionOptions, McpConnection } from './mcp-connection.ts';
import type { OAuthService } from './oauth/OAuthService.ts';
import { redactor } from './redact.ts';
import { type AttemptLimit, DEFAULT_RETRY_TIMES, type RetryTimes } from './retry-policy.ts';
import { checkConfig, type ServerInput } from './server-config.ts';
import { ServerLog } from './server-log.ts';
import type { ServerRecords } from './server-records.ts';
import type { ServerGrants } from './server-requests/ServerGrants.ts';
import type { ServerRequests } from './server-requests/ServerRequests.ts';
import { DEFAULT_LIMITS } from './server-slot.ts';
import { isConsented, noConsent } from './stored-server.ts';
import { type TestedAttempts, TestLimit } from './test-limit.ts';
import { createTransport } from './transports/create-transport.ts';
import type { ServerStream } from './transports/event-streams.ts';

/** A program that may have to be downloaded first: its longest silence and its longest start, in milliseconds. */
const INSTALL_SILENCE_MS = 180_000;
const INSTALL_MS = 600_000;

export interface ConnectorOptions {
  processes: ProcessPort;
  fetch: Fetch;
  clientInfo: { name: string; version: string };
  /** How a server that comes with the app is started. Throws, or gives undefined, for one that it doesn't know. */
  resolveBuiltin?: (builtin: string, options: BuiltinOptions) => McpServerConfig | undefined;
  /** Who answers what servers ask of the person. Without it they are told that nobody does. */
  person?: { requests: ServerRequests; grants: ServerGrants };
  /** Signing in to servers at an address. Default: none; those that want it are `needs-sign-in`. */
  oauth?: OAuthService;
  /** When to try again, and how often. */
  retryTimes?: RetryTimes;
}

export interface TestOptions {
  /** The stored server whose secrets stand in for null values. */
  serverId?: string;
  /** What {@link ServerConnector.stopTest} knows the test by. */
  testId?: string;
}

export interface TestedServer {
  toolNames: string[];
  rejected: RejectedTool[];
  ms: number;
}

/** Says what a stored server is started with, and opens its connection. Keeps none of them, but those of running tests. */
export class ServerConnector {
  readonly #records: ServerRecords;
  readonly #clock: Clock;
  readonly #options: ConnectorOptions;
  /** Running tests of connections by their ids. */
  readonly #tests = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #testLimit: TestLimit;
  #isClosed = false;

  constructor(records: ServerRecords, clock: Clock, options: ConnectorOptions) {
    this.#records = records;
    this.#clock = clock;
    this.#options = options;
    this.#testLimit = new TestLimit((options.retryTimes ?? DEFAULT_RETRY_TIMES).perMinute);
  }

  /**
   * What is about to be started, after making sure that it may be.
   * @throws AppError `no-consent`, `invalid-config`, `secret-unreadable`, `connect-failed` when the app is closing
   */
  async resolve(serverId: string): Promise<McpServerRecord> {
    if (this.#isClosed) throw new AppError('connect-failed', 'The app is closing.');
    const stored = this.#records.get(serverId);
    if (!isConsented(stored)) throw noConsent(stored.name);
    const server = await this.#records.open(serverId);
    if (server.builtin === undefined) return expanded(server);
    const config = this.#options.resolveBuiltin?.(server.builtin, server.builtinOptions ?? {});
    if (!config) throw new AppError('invalid-config', `This version of the app has no server “${server.builtin}”.`);
    return { ...server, config };
  }

  /** Opens a connection. Rejects with what went wrong, when nothing of the attempt is left. */
  connect(
    server: McpServerRecord,
    log: ServerLog,
    options: Pick<
      ConnectionOptions,
      'era' | 'signal' | 'mayRepeat' | 'onToolsChanged' | 'onContentChanged' | 'onLost' | 'onDoubt'
    > & {
      /** Called with each line of a program that may be installing itself. */
      onInstalling?: (line: string) => void;
    },
  ): Promise<McpConnection> {
    const { person } = this.#options;
    const { onInstalling } = options;
    const installs = server.type === 'stdio' && mayInstall(server.config);
    if (installs) onInstalling?.('');
    return McpConnection.open({
      ...options,
      ...(installs && { installMs: INSTALL_MS, onOutput: onInstalling }),
      link: person && { server, ...person, log: (level, text) => log.add('protocol', level, text) },
      type: server.type,
      createTransport: (as, onOutput, serverStream) => {
        const add: ServerLog['add'] = (source, level, text) => {
          log.add(source, level, text);
          if (source === 'stderr' || source === 'stdout') onOutput(text);
        };
        return this.createTransport(server, add, as, serverStream);
      },
      clientInfo: this.#options.clientInfo,
      startMs: server.limits?.startMs ?? (installs ? INSTALL_SILENCE_MS : DEFAULT_LIMITS.startMs),
      log: log.add,
      messages: log.messages,
    });
  }

  /**
   * Starts a server apart from the pool, lists its tools and ends it. The person typed it in: that is the consent.
   * @param ofServer the attempts of the stored server that is tested, where it is as it is stored
   * @throws AppError `invalid-config`, `connect-failed`, `folder-missing`, `secret-unreadable`, `cancelled`
   */
  async test(
    draft: ServerInput,
    { serverId, testId = randomUUID() }: TestOptions = {},
    ofServer?: AttemptLimit,
  ): Promise<TestedServer> {
    if (this.#isClosed) throw new AppError('connect-failed', 'The app is closing.');
    const stop = new AbortController();
    const done = Promise.withResolvers<void>();
    this.#tests.set(testId, { stop, done: done.promise });
    try {
      const server = expanded(await this.#records.completeDraft(draft, serverId));
      stop.signal.throwIfAborted();
      // As it was typed in, which is how a server that is added is known too.
      const attempts = this.#testLimit.begin(server.name, draft.config, ofServer);
      return await this.#test(server, stop.signal, attempts);
    } catch (error) {
      throw stop.signal.aborted ? new AppError('cancelled', 'The test was stopped.') : error;
    } finally {
      this.#tests.delete(testId);
      done.resolve();
    }
  }

  /** How often a server like this was started by tests of it, which counts for a new server too; undefined for never. */
  testsOf(config: ServerInput['config']): AttemptLimit | undefined {
    return this.#testLimit.of(config);
  }

  /** Ends a running test. Does nothing when there is none of this id. */
  stopTest(testId: string): void {
    this.#tests.get(testId)?.stop.abort();
  }

  async #test(server: McpServerRecord, signal: AbortSignal, attempts: TestedAttempts): Promise<TestedServer> {
    const log = new ServerLog(this.#clock);
    const redact = redactor(server.config);
    log.redact = redact;
    const startedAt = performance.now();
    let connection: McpConnection | undefined;
    try {
      connection = await this.connect(server, log, {
        era: server.protocol ?? 'auto',
        signal,
        mayRepeat: () => attempts.another(),
        onToolsChanged: () => {},
        onLost: () => {},
      });
      const { tools, rejected } = await connection.listTools({ idleMs: DEFAULT_LIMITS.startMs, signal });
      return { toolNames: tools.map(({ name }) => name), rejected, ms: Math.round(performance.now() - startedAt) };
    } catch (error) {
      if (attempts.missesTurn) throw attempts.tooMany();
      const { error: failure } = explainConnectFailure(error, server.name, redact);
      if (!isFolderMissing(error)) throw failure;
      const { message, hint } = failure;
      throw new AppError('folder-missing', message, { hint, cause: error });
    } finally {
      await connection?.close().catch(() => {});
    }
  }

  /** The transport that a server's type asks for. @throws AppError `invalid-config`, which names what is wrong */
  createTransport(
    server: McpServerRecord,
    log: ServerLog['add'] = () => {},
    as = server.type,
    serverStream?: ServerStream,
  ): Transport {
    const fetch = this.#options.oauth?.fetchFor(server) ?? this.#options.fetch;
    return createTransport(server, { processes: this.#options.processes, fetch, log, serverStream }, as);
  }

  /** Ends the running tests and starts nothing any more. Resolves when nothing of them is left. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const tests = [...this.#tests.values()];
    for (const { stop } of tests) stop.abort();
    await Promise.all(tests.map(({ done }) => done));
  }
}

/** The server as it is started, with what its placeholders stand for. Throws AppError `invalid-config`. */
function expanded(server: McpServerRecord): McpServerRecord {
  const config = expandConfig(server.config, server.name);
  checkConfig({ ...server, config });
  return { ...server, config };
}
