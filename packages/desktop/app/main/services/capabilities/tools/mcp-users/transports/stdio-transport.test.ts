import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { ManagedProcess } from '../../../../ports/processes.ts';
import { StdioTransport } from './stdio-transport.ts';

it('a flood of messages leaves everything else its turn', async () => {
  const [stdin, stdout, stderr] = [
    new PassThrough(),
    new PassThrough({ highWaterMark: 1024 * 1024 }),
    new PassThrough(),
  ];
  const child = {
    stdin,
    stdout,
    stderr,
    exited: new Promise(() => {}),
    stop: async () => {},
  } as unknown as ManagedProcess;
  const processes = { start: async () => child };
  const transport = new StdioTransport({ processes, server: { command: 'x' }, log: () => {} });
  let turn = 0;
  const handledIn = new Set<number>();
  let handled = 0;
  transport.onmessage = () => {
    handled++;
    handledIn.add(turn);
    const until = performance.now() + 3;
    while (performance.now() < until);
  };
  await transport.start();
  for (let i = 0; i < 20; i++) stdout.write('{"jsonrpc":"2.0","method":"x"}\n');
  while (handled < 20) {
    await new Promise(setImmediate);
    turn++;
  }
  expect(handledIn.size).toBeGreaterThan(10);
});
