import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { displayAnswers } from './display.mjs';

it('tells a display that answers from one that is gone', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const display = `127.0.0.1:${server.address().port - 6000}`;
  expect(await displayAnswers(display)).toBe(true);
  expect(await displayAnswers(`${display}.0`)).toBe(true);
  server.close();
  await once(server, 'close');
  expect(await displayAnswers(display)).toBe(false);
});

it.each([':4711', 'unix:4711.0', 'somewhere'])('takes %s for no display', async (display) => {
  expect(await displayAnswers(display)).toBe(false);
});
