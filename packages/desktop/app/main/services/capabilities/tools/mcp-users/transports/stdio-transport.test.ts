import { PassThrough, Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { ManagedProcess } from '../../../../ports/processes.ts';
import { StdioTransport } from './stdio-transport.ts';

/** A transport to a server that is nothing but its streams. */
async function transportTo({ stdin = new PassThrough(), stdout = new PassThrough() }: Partial<ManagedProcess>) {
  const stop = async () => void stdin.end();
  const child = { stdin, stdout, stderr: new PassThrough(), exited: new Promise(() => {}), stop } as unknown;
  const processes = { start: async () => child as ManagedProcess };
  const transport = new StdioTransport({ processes, server: { command: 'x' }, log: () => {} });
  await transport.start();
  return transport;
}

/** Takes what is written to it, and remembers each write that reaches the system. */
class Pipe extends Writable {
  readonly writes: string[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.writes.push(String(chunk));
    done();
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.writes.push(chunks.map(({ chunk }) => String(chunk)).join(''));
    done();
  }
}

const notification = (method: string) => ({ jsonrpc: '2.0' as const, method });

it('what several answers set off goes out in one write, in its order; what one sets off, at once', async () => {
  const [stdin, stdout] = [new Pipe(), new PassThrough()];
  const transport = await transportTo({ stdin, stdout });
  const sent: Promise<void>[] = [];
  transport.onmessage = (message) => {
    // As a caller that goes on with its next call.
    sent.push(Promise.resolve().then(() => transport.send(message)));
  };
  const answer = async (...methods: string[]) => {
    stdout.write(methods.map((method) => `${JSON.stringify(notification(method))}\n`).join(''));
    await vi.waitUntil(() => sent.length === methods.length);
    await Promise.all(sent.splice(0));
  };
  await answer('a', 'b', 'c');
  await answer('d');
  const before = stdin.writes.length;
  void transport.send(notification('e'));
  expect(stdin.writes).toHaveLength(before + 1);
  const lines = stdin.writes.map((write) => write.trim().split('\n'));
  const methods = lines.map((each) => each.map((line) => JSON.parse(line).method));
  expect(methods).toEqual([['a', 'b', 'c'], ['d'], ['e']]);
});

it('what was sent last reaches the server, although it is ended in the same turn', async () => {
  const [stdin, stdout] = [new Pipe(), new PassThrough()];
  const transport = await transportTo({ stdin, stdout });
  transport.onmessage = () => {};
  stdout.write(`${JSON.stringify(notification('x'))}\n`.repeat(2));
  await new Promise(setImmediate);
  const sent = transport.send(notification('notifications/cancelled'));
  expect(stdin.writes).toEqual([]);
  await Promise.all([sent, transport.close()]);
  expect(stdin.writes.join('')).toContain('notifications/cancelled');
  expect(stdin.writableFinished).toBe(true);
});

it('a flood of messages leaves everything else its turn', async () => {
  const stdout = new PassThrough({ highWaterMark: 1024 * 1024 });
  const transport = await transportTo({ stdout });
  let turn = 0;
  const handledIn = new Set<number>();
  let handled = 0;
  transport.onmessage = () => {
    handled++;
    handledIn.add(turn);
    const until = performance.now() + 3;
    while (performance.now() < until);
  };
  for (let i = 0; i < 20; i++) stdout.write('{"jsonrpc":"2.0","method":"x"}\n');
  while (handled < 20) {
    await new Promise(setImmediate);
    turn++;
  }
  expect(handledIn.size).toBeGreaterThan(10);
});
