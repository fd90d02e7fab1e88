// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { connectStores } from '../stores/connect.ts';
import { conversation, ended, started, toolEvent, toolPart } from '../testing/messages.ts';
import { renderInApp, setUp } from '../testing/set-up.tsx';
import { useWindowTitle } from './title.ts';

function Title() {
  useWindowTitle();
  return null;
}

it('counts the calls that wait, in whichever conversation', async () => {
  const fake = await setUp({ conversations: [conversation()] });
  connectStores(() => undefined);
  renderInApp(<Title />);
  const asks = (callId: string, state: 'awaiting-approval' | 'running') =>
    act(() => fake.emit([toolEvent('a', 0, toolPart({ callId, state }))]));
  expect(document.title).toBe('TinyElf');
  act(() => fake.emit([started]));
  asks('one', 'awaiting-approval');
  asks('two', 'awaiting-approval');
  expect(document.title).toBe('(2) TinyElf');
  asks('one', 'running');
  expect(document.title).toBe('(1) TinyElf');
  act(() => fake.emit([ended('stopped')]));
  expect(document.title).toBe('TinyElf');
});
