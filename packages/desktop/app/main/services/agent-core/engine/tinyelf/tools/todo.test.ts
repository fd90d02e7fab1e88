import { describe, expect, it } from 'vitest';
import { createTodoTool } from './todo.ts';

const tool = createTodoTool();
const item = (text: string, status: string) => ({ text, status });

describe('TodoWrite', () => {
  it('shows the list and confirms it', async () => {
    const shown: unknown[] = [];
    const items = [item('read', 'done'), item('edit', 'in-progress'), item('test', 'pending')];
    const result = await tool.execute({ items }, { onDisplay: (display) => shown.push(display) });
    expect(result).toBe('The list was written: 1 done, 1 in progress, 1 pending.');
    expect(shown).toEqual([{ kind: 'todo', items }]);
    expect(await tool.execute({ items: [] })).toBe('The list was written: 0 done, 0 in progress, 0 pending.');
    expect(tool.risk).toBe('safe');
  });

  it.each([
    [{ items: [item('a', 'in-progress'), item('b', 'in-progress')] }, /More than one/],
    [{ items: [item('a', 'doing')] }, /status/],
    [{ items: [item(' ', 'done')] }, /text/],
    [{ items: Array.from({ length: 101 }, () => item('a', 'done')) }, /items/],
    [{}, /items/],
  ])('refuses %j, and shows nothing', async (params, problem) => {
    const shown: unknown[] = [];
    const result = await tool.execute(params, { onDisplay: (display) => shown.push(display) });
    expect(result).toMatch(/^Error/);
    expect(result).toMatch(problem);
    expect(shown).toEqual([]);
  });
});
