import { create } from 'zustand';
import { api } from '../../../bridge/api.ts';
import { ApiError, unwrap } from '../../../bridge/errors.ts';
import { useApp } from '../../../stores/app.ts';

export type SecretChoice = 'store' | 'session-only';

interface SecretChoiceState {
  /** Set while the question is open. */
  answer: ((choice: SecretChoice | null) => void) | null;
}

/** The question what to do with secrets where the system can't protect them well. */
export const useSecretChoice = create<SecretChoiceState>()(() => ({ answer: null }));

const askForChoice = (): Promise<SecretChoice | null> =>
  new Promise((resolve) => {
    useSecretChoice.getState().answer?.(null);
    const answer = (choice: SecretChoice | null) => {
      useSecretChoice.setState({ answer: null });
      resolve(choice);
    };
    useSecretChoice.setState({ answer });
  });

/** Tells main, and takes away the notice that asks the same. */
export async function chooseWeakSecrets(choice: SecretChoice): Promise<void> {
  await unwrap(api().app.chooseWeakSecrets({ choice }));
  const { notices, dismissNotice } = useApp.getState();
  const asking = notices.filter(({ kind }) => kind === 'weak-secrets');
  await Promise.all(asking.map(({ id }) => dismissNotice(id)));
}

/**
 * Runs `work`, which stores a secret. Where main first wants to know how, the person is asked and `work` runs once more.
 * Throws what `work` threw when there is no answer.
 */
export async function withSecretChoice<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== 'weak-secrets') throw thrown;
    const choice = await askForChoice();
    if (choice === null) throw thrown;
    await chooseWeakSecrets(choice);
    return work();
  }
}
