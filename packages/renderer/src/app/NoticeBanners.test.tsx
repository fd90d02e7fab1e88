// @vitest-environment happy-dom
import type { Notice } from '@shared/contracts/app.contract.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useSecretChoice } from '../features/settings/shared/secret-choice.ts';
import { useApp } from '../stores/app.ts';
import type { FakeApi } from '../testing/fake-api.ts';
import { renderInApp, setUp } from '../testing/set-up.tsx';
import { NoticeBanners } from './NoticeBanners.tsx';

let fake: FakeApi;

async function show(...notices: Notice[]) {
  fake = await setUp({ notices });
  await useApp.getState().loadNotices();
  renderInApp(<NoticeBanners />);
}

describe('notices', () => {
  it('are nothing without one', async () => {
    await show();
    expect(document.querySelector('section')).toBeNull();
  });

  it.each<[Notice['kind'], Record<string, string>, RegExp]>([
    ['file-set-aside', { file: 'chats.db', path: '/data/chats.db.damaged' }, /chats\.db.*\/data\/chats\.db\.damaged/],
    ['file-set-aside', {}, /damaged file was set aside/],
    ['secret-unreadable', { name: 'Anthropic' }, /Anthropic/],
    ['record-skipped', { name: '<img src=x>' }, /<img src=x>/],
    ['renderer-restarted', {}, /loaded again/],
    ['weak-secrets', {}, /no strong encryption/],
  ])('of the kind %s with %j say what happened', async (kind, values, words) => {
    await show({ id: 'n', kind, values });
    const banner = screen.getByTestId('notice');
    expect(banner.textContent).toMatch(words);
    expect(banner.textContent).not.toMatch(/\{\{|undefined/);
    expect(banner.querySelector('img')).toBeNull();
  });

  it('about weak encryption wait while a dialog asks the same', async () => {
    await show({ id: 'n', kind: 'weak-secrets', values: {} });
    act(() => useSecretChoice.setState({ answer: () => undefined }));
    expect(screen.queryByTestId('notice')).toBeNull();
    act(() => useSecretChoice.setState({ answer: null }));
    expect(screen.getByTestId('notice')).toBeTruthy();
  });

  it('go when they are dismissed, and are not shown again', async () => {
    await show({ id: 'n', kind: 'renderer-restarted', values: {} });
    fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
    expect(screen.queryByTestId('notice')).toBeNull();
    await waitFor(() => expect(fake.calls).toContainEqual(['app.dismissNotice', { id: 'n' }]));
  });

  it.each([
    ['Only until the app closes', 'session-only'],
    ['Store with weak protection', 'store'],
  ])('about weak encryption offer: %s', async (name, choice) => {
    await show({ id: 'n', kind: 'weak-secrets', values: {} });
    fireEvent.click(screen.getByRole('button', { name }));
    await waitFor(() => expect(fake.calls).toContainEqual(['app.chooseWeakSecrets', { choice }]));
    await act(async () => undefined);
    await waitFor(() => expect(screen.queryByTestId('notice')).toBeNull());
  });
});
