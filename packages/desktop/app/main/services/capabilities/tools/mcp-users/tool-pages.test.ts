import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readToolPages } from './tool-pages.ts';
import { RpcError } from './transports/errors.ts';

it('pages that are too large together end the list, with what there is of it', async () => {
  let pages = 0;
  const { tools, warnings } = await readToolPages(
    async () => {
      pages++;
      const tool = { name: `t${pages}`, description: 'x'.repeat(1000), inputSchema: { type: 'object' } };
      return { tools: [tool], nextCursor: String(pages) };
    },
    { maxMs: 60_000, maxCharacters: 5000 },
  );
  expect(pages).toBe(5);
  expect(tools.length).toBe(5);
  expect(warnings).toEqual(['The list of tools is too large; the rest is left out.']);
});

it('a server that hands out slow pages for ever is listed for two minutes', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let pages = 0;
  const listing = readToolPages(async () => {
    pages++;
    await new Promise((resolve) => setTimeout(resolve, 50_000));
    return { tools: [{ name: `t${pages}`, inputSchema: { type: 'object' } }], nextCursor: String(pages) };
  });
  await vi.advanceTimersByTimeAsync(1_000_000);
  const { tools, warnings } = await listing;
  expect(tools.map(({ name }) => name)).toEqual(['t1', 't2', 't3']);
  expect(warnings).toEqual(['Listing the tools took too long; the rest is left out.']);
});

const tool = (name: string | number) => ({ name: `t${name}`, inputSchema: { type: 'object' } });

it('a list holds as long as the page of it that holds for the shortest time', async () => {
  const ttls = [9000, 4000, undefined];
  const { ttlMs } = await readToolPages(async (cursor = 0) => {
    const at = Number(cursor);
    return { tools: [tool(at)], ttlMs: ttls[at], ...(at < 2 && { nextCursor: at + 1 }) };
  });
  expect(ttlMs).toBe(4000);
});

it('a cursor that is a number is given back as it is', async () => {
  const { tools, warnings } = await readToolPages(async (cursor = 0) => {
    const next = typeof cursor === 'number' && cursor < 2 ? { nextCursor: cursor + 1 } : {};
    return { tools: [tool(cursor)], ...next };
  });
  expect(tools.map(({ name }) => name)).toEqual(['t0', 't1', 't2']);
  expect(warnings).toEqual([]);
});

it.each([[{ page: 2 }], [true], [['p2']]])(
  'a cursor that is none (%j) ends the list, which is said',
  async (nextCursor) => {
    const { tools, warnings } = await readToolPages(async () => ({ tools: [tool(1)], nextCursor }));
    expect(tools.length).toBe(1);
    expect(warnings).toEqual([expect.stringContaining('the rest of the list is left out')]);
  },
);

describe('a page that the server has and refuses', () => {
  const page = async (cursor: unknown) => {
    if (cursor !== undefined) throw new RpcError(-32602, 'Invalid cursor');
    return { tools: [tool(1)], nextCursor: 'p2' };
  };

  it('is a failed listing', async () => {
    await expect(readToolPages(page)).rejects.toThrow('Invalid cursor');
  });

  it('does not hide the others where there is no earlier list', async () => {
    const { tools, warnings } = await readToolPages(page, { mayEndEarly: true });
    expect(tools.length).toBe(1);
    expect(warnings).toEqual([expect.stringContaining('Invalid cursor')]);
    const refusedAtOnce = readToolPages(() => page('p1'), { mayEndEarly: true });
    await expect(refusedAtOnce).rejects.toThrow('Invalid cursor');
  });
});
