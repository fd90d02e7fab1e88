import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
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

it('what is sent in one turn goes out in one write, in its order', async () => {
  const stdin = new Pipe();
  const transport = await transportTo({ stdin });
  await Promise.all(['a', 'b', 'c'].map((method) => transport.send(notification(method))));
  await transport.send(notification('d'));
  const lines = stdin.writes.map((write) => write.trim().split('\n'));
  expect(lines.map((each) => each.map((line) => JSON.parse(line).method))).toEqual([['a', 'b', 'c'], ['d']]);
});

it('what was sent last reaches the server, although it is ended in the same turn', async () => {
  const stdin = new Pipe();
  const transport = await transportTo({ stdin });
  const sent = transport.send(notification('notifications/cancelled'));
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
