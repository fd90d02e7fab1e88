import { describe, expect, it } from 'vitest';
import { createNotifyTool } from './notify.ts';

describe('Notify', () => {
  it('shows a notification', async () => {
    const shown: unknown[] = [];
    const tool = createNotifyTool({ notify: (notice) => shown.push(notice) > 0 });
    expect(await tool.execute({ title: ' Done ', text: 'All tests pass.' })).toBe('The notification was shown.');
    expect(await tool.execute({ title: 'x'.repeat(101), text: 'a' })).toMatch(/^Error: .*title/s);
    expect(shown).toEqual([{ title: 'Done', text: 'All tests pass.' }]);
    expect(tool.risk).toBe('safe');
  });

  it('says where there are none', async () => {
    const tool = createNotifyTool({ notify: () => false });
    expect(await tool.execute({ title: 'a', text: 'b' })).toBe('Error: This system shows no notifications.');
  });
});
