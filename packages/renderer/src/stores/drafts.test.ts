// @vitest-environment happy-dom

import type { AttachmentRequest } from '@shared/contracts/mcp-content-types.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const resource: AttachmentRequest = { kind: 'resource', serverId: 's', serverName: 'S', uri: 'x://1', name: 'one' };

/** The store as it is after a start of the app. */
async function start() {
  vi.resetModules();
  return import('./drafts.ts');
}

beforeEach(() => localStorage.clear());

describe('drafts', () => {
  it('are there after a restart, with what is attached to them', async () => {
    const { useDrafts } = await start();
    useDrafts.getState().write('chat', 'Read this');
    useDrafts.getState().attach('chat', [resource]);
    useDrafts.getState().attach(null, [resource]);
    await vi.waitFor(() => expect(localStorage.getItem('draft-attachments')).not.toBeNull(), { timeout: 5000 });
    const again = await start();
    const state = again.useDrafts.getState();
    expect(again.draftOf(state, 'chat')).toBe('Read this');
    expect(again.attachmentsOf(state, 'chat')).toEqual([resource]);
    expect(again.attachmentsOf(state, null)).toEqual([resource]);
    expect(again.attachmentsOf(state, 'other')).toEqual([]);
  });

  it('come without what can not be read', async () => {
    localStorage.setItem('drafts', JSON.stringify({ chat: 'kept', odd: 7 }));
    localStorage.setItem(
      'draft-attachments',
      JSON.stringify({ chat: [resource], odd: [{ kind: 'resource' }], no: 'x' }),
    );
    const { useDrafts } = await start();
    expect(useDrafts.getState().drafts).toEqual({ chat: 'kept' });
    expect(useDrafts.getState().attachments).toEqual({ chat: [resource] });
  });
});
