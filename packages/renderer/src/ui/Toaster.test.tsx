// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useToasts } from '../stores/toasts.ts';
import { renderInApp, setUp } from '../testing/set-up.tsx';
import { Toaster } from './Toaster.tsx';
import { useEscape } from './useEscape.ts';

function Below({ take }: { take: () => boolean }) {
  useEscape(take);
  return null;
}

it('a toast takes Esc from what is below it', async () => {
  await setUp();
  const take = vi.fn(() => true);
  renderInApp(
    <>
      <Below take={take} />
      <Toaster />
    </>,
  );
  act(() => useToasts.getState().show({ tone: 'neutral', text: 'Chat deleted' }));
  await screen.findByText('Chat deleted');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByText('Chat deleted')).toBeNull();
  expect(take).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(take).toHaveBeenCalledOnce();
});
