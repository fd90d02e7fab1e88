import { describe, expect, it } from 'vitest';
import { limitedFetch } from './limited-fetch.ts';

const LIMIT = 1024 * 1024;

/** What is left of an answer that arrives in the given pieces. */
async function received(pieces: string[], type: string, status = 200): Promise<string> {
  const body = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(piece));
    },
  });
  const answer = async () => new Response(body, { status, headers: { 'content-type': type } });
  const limited = await limitedFetch(answer as typeof fetch, LIMIT)('http://h.example');
  return new Response(limited.body).text();
}

describe('limitedFetch', () => {
  it('lets answers through as they are', async () => {
    expect(await received(['{"a"', ':1}'], 'application/json')).toBe('{"a":1}');
  });

  it('ends an answer that is too large', async () => {
    await expect(received(Array(20).fill('x'.repeat(100_000)), 'application/json')).rejects.toThrow('1 MiB');
  });

  it.each(['\n', '\r\n'])('lets a stream run for ever, as long as its events end (%j)', async (end) => {
    const event = `data: ${'x'.repeat(300_000)}${end}${end}`;
    const pieces = Array(10)
      .fill(event)
      .join('')
      .match(/[\s\S]{1,65536}/g)!;
    expect((await received(pieces, 'text/event-stream; charset=utf-8')).length).toBe(event.length * 10);
    const bytes = [...`data: x${end}${end}`.repeat(50)];
    expect((await received(bytes, 'text/event-stream')).length).toBe(50 * (7 + 2 * end.length));
  });

  it('lets a stream run for ever whose lines end with a carriage return', async () => {
    const event = `data: ${'x'.repeat(300_000)}\r\r`;
    expect((await received(Array(10).fill(event), 'text/event-stream')).length).toBe((event.length + 1) * 10);
  });

  it.each([
    ['a carriage return', ['data: x\r', '\r', 'data: y\r\r'], 'data: x\r\n\r\ndata: y\r\r\n'],
    ['both, in two pieces', ['data: x\r', '\n\r', '\n', 'data: y\r\n\r\n'], 'data: x\r\n\r\ndata: y\r\n\r\n'],
    ['a line feed', ['data: x\n', '\n', '\n'], 'data: x\n\n\n'],
  ])('leaves no line of a stream open that ended with %s', async (_, pieces, text) => {
    expect(await received(pieces, 'text/event-stream')).toBe(text);
  });

  it.each([
    ['of one line', 'x'.repeat(100_000)],
    ['of many lines', `data: ${'x'.repeat(100_000)}\n`],
    ['of many lines, with others between', `data: ${'x'.repeat(100_000)}\na\n`],
  ])('ends a stream with an endless event %s', async (_, piece) => {
    await expect(received(Array(20).fill(piece), 'text/event-stream')).rejects.toThrow('1 MiB');
  });

  it('leaves everything else its turn while a body comes without a pause', async () => {
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
    });
    const response = await limitedFetch(async () => new Response(body), 1e9)('http://x/');
    const reader = response.body!.getReader();
    let turns = 0;
    const count = () => {
      turns++;
      if (turns < 3) setImmediate(count);
    };
    setImmediate(count);
    for (let reads = 0; turns < 3 && reads < 500_000; reads++) await reader.read();
    expect(turns).toBe(3);
    await reader.cancel();
  });

  it('cuts the page of a refusal', async () => {
    expect((await received(Array(20).fill('x'.repeat(100_000)), 'text/html', 500)).length).toBe(64 * 1024);
  });
});
