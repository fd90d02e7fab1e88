import { expect, it } from 'vitest';
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
