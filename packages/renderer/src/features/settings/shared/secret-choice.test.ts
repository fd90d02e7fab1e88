// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../../bridge/errors.ts';
import { useApp } from '../../../stores/app.ts';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { setUp } from '../../../testing/set-up.tsx';
import { useSecretChoice, withSecretChoice } from './secret-choice.ts';

const weak = () => new ApiError({ code: 'weak-secrets', message: 'No strong encryption.' });
let fake: FakeApi;
beforeEach(async () => {
  fake = await setUp();
  useSecretChoice.setState({ answer: null });
});
const answer = (choice: 'store' | 'session-only' | null) =>
  vi.waitFor(() => {
    const { answer: open } = useSecretChoice.getState();
    if (!open) throw new Error('the question is not open');
    open(choice);
  });

it('asks nothing where all goes well, or something else is wrong', async () => {
  expect(await withSecretChoice(async () => 1)).toBe(1);
  const other = new ApiError({ code: 'store-failed', message: 'The disk is full.' });
  await expect(withSecretChoice(() => Promise.reject(other))).rejects.toBe(other);
  expect(useSecretChoice.getState().answer).toBeNull();
});

it('runs the work again after the answer, and takes the notice away that asks the same', async () => {
  useApp.setState({ notices: [{ id: 'n', kind: 'weak-secrets', values: {} }] });
  const work = vi.fn().mockRejectedValueOnce(weak()).mockResolvedValue('saved');
  const saved = withSecretChoice<string>(work);
  await answer('session-only');
  expect(await saved).toBe('saved');
  expect(fake.calls).toContainEqual(['app.chooseWeakSecrets', { choice: 'session-only' }]);
  expect(useApp.getState().notices).toEqual([]);
});

it('asks once only: a second refusal is an error', async () => {
  const second = weak();
  const work = vi.fn().mockRejectedValueOnce(weak()).mockRejectedValue(second);
  const saved = withSecretChoice(work);
  await answer('store');
  await expect(saved).rejects.toBe(second);
  expect(work).toHaveBeenCalledTimes(2);
});

it('throws the refusal when there is no answer', async () => {
  const refusal = weak();
  const saved = withSecretChoice(() => Promise.reject(refusal));
  await answer(null);
  await expect(saved).rejects.toBe(refusal);
  expect(fake.calls).toEqual([]);
});
