import { expect, it, onTestFinished, vi } from 'vitest';
import { readToolPages } from './tool-pages.ts';

it('pages that are too large together end the list, with what there is of it', async () => {
  let pages = 0;
  const { tools, warnings } = await readToolPages(
    async () => {
      pages++;
      const tool = { name: `t${pages}`, description: 'x'.repeat(1000), inputSchema: { type: 'object' } };
      return { tools: [tool], nextCursor: String(pages) };
    },
    60_000,
    5000,
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
