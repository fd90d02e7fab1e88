import type { Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';
import type { ManagedProcess, ProcessPort } from '../../../../ports/processes.ts';
import { ConnectionLost } from './errors.ts';
import { LineSplitter, LineTooLong } from './line-splitter.ts';
import { isMessage } from './plain-message.ts';
import { TextTail } from './text-tail.ts';

export type LogSink = (source: McpLogEntry['source'], level: McpLogEntry['level'], text: string) => void;

export const DEFAULT_MAX_FRAME_BYTES = 32 * 1024 * 1024;
const STDERR_TAIL_BYTES = 8 * 1024;
const LOG_LINE_CHARS = 4096;
const NOISE_LINES_LOGGED = 50;
/** How long a server that has ended may take until the last of its output is read, and one that closed a stream until it ends. */
const DRAIN_MS = 500;
/** A piece of output that takes longer than this to handle is followed by a turn for everything else, in milliseconds. */
const LONG_TURN_MS = 2;

export interface StdioServer {
  command: string;
  args?: string[];
  cwd?: string;
  env?: Record<string, string>;
}

/**
 * Speaks with a server over its standard input and output, one JSON message a line. What is no message is logged and ignored.
 * `close` ends the server's whole process tree and resolves when it is gone.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #processes: ProcessPort;
  readonly #server: StdioServer;
  readonly #log: LogSink;
  readonly #lines: LineSplitter;
  readonly #maxFrameBytes: number;
  readonly #stderr: TextTail;
  #starting: Promise<void> | undefined;
  #process: ManagedProcess | undefined;
  #closing = false;
  #closed = false;
  #endReason: string | undefined;
  #noise = 0;
  /** Whether the last output held several messages: then what they set off is sent in one turn, too. */
  #comesInBatches = false;

  /** @param options.redact hides the server's secrets in what is logged in pieces. Default: there are none. */
  constructor(options: {
    processes: ProcessPort;
    server: StdioServer;
    log: LogSink;
    redact?: (text: string) => string;
    maxFrameBytes?: number;
  }) {
    this.#processes = options.processes;
    this.#server = options.server;
    this.#log = options.log;
    this.#maxFrameBytes = options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES;
    this.#lines = new LineSplitter(this.#maxFrameBytes);
    const logLine = (line: string) => this.#log('stderr', 'info', line);
    this.#stderr = new TextTail(STDERR_TAIL_BYTES, LOG_LINE_CHARS, logLine, options.redact);
  }

  start(): Promise<void> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  /** @throws ConnectionLost when the server has ended or does not read any more; {@link describeEnd} knows why by then */
  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#process;
    if (!child || this.#closing) throw new ConnectionLost('The server is not running.');
    const line = `${JSON.stringify(message)}\n`;
    if (this.#comesInBatches) this.#gather(child.stdin);
    const error = await new Promise<Error | null | undefined>((resolve) => child.stdin.write(line, resolve));
    if (!error) return;
    await this.#streamEnded(child, 'It closed its input.');
    throw new ConnectionLost(`The server can not be written to: ${error.message}`);
  }

  async close(): Promise<void> {
    this.#closing = true;
    // A start that is under way can't be called back; what comes of it is ended.
    await this.#starting?.catch(() => {});
    await this.#process?.stop();
    this.#finish();
  }

  /** Why the connection ended, with the last lines of stderr; undefined as long as it stands, or when we ended it. */
  describeEnd(): { reason: string; details: string | undefined } | undefined {
    if (this.#endReason === undefined) return undefined;
    return { reason: this.#endReason, details: this.#stderr.text() || undefined };
  }

  /** The last lines that the server wrote to stderr. */
  stderrTail(): string {
    return this.#stderr.text();
  }

  /** What is sent in this turn goes out in one write: the system call that wakes the server costs more than all the rest. */
  #gather(stdin: Writable): void {
    if (stdin.writableCorked > 0) return;
    stdin.cork();
    process.nextTick(() => stdin.uncork());
  }

  async #start(): Promise<void> {
    const child = await this.#processes.start(this.#server);
    this.#process = child;
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.stderr.on('end', () => this.#stderr.end());
    child.stdout.on('data', (chunk: Buffer) => {
      const startedAt = performance.now();
      this.#read(chunk);
      if (performance.now() - startedAt < LONG_TURN_MS) return;
      // A flood waits in the pipe, where it stops the server and not the app.
      child.stdout.pause();
      setImmediate(() => child.stdout.resume());
    });
    child.stdout.on('end', () => {
      if (!this.#closed) this.#lines.end((line) => this.#take(line));
      void this.#streamEnded(child, 'It closed its output.');
    });
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error: Error) => this.onerror?.(error));
    }
    void child.exited.then(async ({ code, signal }) => {
      if (!this.#closing) {
        this.#endReason ??= signal ? `It was ended by ${signal}.` : `It ended with exit code ${code}.`;
      }
      await Promise.race([readToEnd(child.stdout), delay(DRAIN_MS)]);
      this.#finish();
    });
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    let lines = 0;
    try {
      this.#lines.push(chunk, (line) => {
        lines++;
        this.#take(line);
      });
      this.#comesInBatches = lines > 1;
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      const limit = Math.floor(this.#maxFrameBytes / 1024 / 1024);
      this.#endReason = `It sent a message larger than ${limit} MiB.`;
      this.#log('protocol', 'error', this.#endReason);
      this.#finish();
      void this.close();
    }
  }

  #take(line: string): void {
    const messages = parseMessages(line);
    if (messages.length > 0) for (const message of messages) this.#hand(message);
    else if (line.trim() !== '') {
      this.#ignore(line);
      const answer = unreadableAnswer(line);
      if (answer) this.#hand(answer);
    }
  }

  /** Nothing that a server sends may end up as an error that nobody catches. */
  #hand(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #ignore(line: string): void {
    if (this.#noise++ < NOISE_LINES_LOGGED) this.#log('stdout', 'warning', line);
    else if (this.#noise === NOISE_LINES_LOGGED + 1) {
      this.#log('stdout', 'warning', 'More output that is no message follows and is not logged.');
    }
  }

  /** A server that closes its output or its input can't answer any more, even if it goes on running. */
  async #streamEnded(child: ManagedProcess, reason: string): Promise<void> {
    await Promise.race([child.exited, delay(DRAIN_MS)]);
    if (this.#closing) return;
    this.#endReason ??= reason;
    this.#finish();
    void this.close();
  }

  #finish(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.onclose?.();
  }
}

/**
 * The JSON-RPC message of a line, or those of a batch, which revision 2025-03-26 of the protocol has; none for whatever else
 * a server may print. Their contents are checked by who reads them.
 */
function parseMessages(line: string): JSONRPCMessage[] {
  // Parsing is what costs; a banner or a log line doesn't begin like this.
  if (!/^[\s\0]*[{[]/.test(line)) return [];
  try {
    const isBare = line.startsWith('{') && line.endsWith('}');
    const value: unknown = JSON.parse(isBare ? line : line.replace(AROUND_JSON, ''));
    return (Array.isArray(value) ? value : [value]).filter(isMessage);
  } catch {
    return [];
  }
}

/** Some programs begin with a byte order mark, and some write the NUL at the end of their strings; neither is JSON. */
const AROUND_JSON = /^[\0\uFEFF]+|\0+$/g;

/**
 * An error in the place of an answer that is no JSON, as one with a NaN or a raw control character in it: whoever waits for it
 * would wait in vain. Undefined for any other line, and for one that was not finished.
 */
function unreadableAnswer(line: string): JSONRPCMessage | undefined {
  const [, id] = (line.endsWith('}') && ANSWER_BEGINS.exec(line)) || [];
  if (id === undefined) return undefined;
  const message = 'The server sent an answer that is not valid JSON. Its log has it.';
  return { jsonrpc: '2.0', id: Number(id), error: { code: PARSE_ERROR, message } };
}

const PARSE_ERROR = -32700;
const ANSWER_BEGINS = /^\{\s*"jsonrpc":\s*"2\.0",\s*"id":\s*(\d{1,15}),\s*"(?:result|error)":/;

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

const readToEnd = (stream: NodeJS.ReadableStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('end', resolve);
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
