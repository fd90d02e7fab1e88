import type { Redactor } from '../platform/logger/redactor.ts';
import { AppError } from '../services/ports/errors.ts';
import type { SecretBox } from '../services/ports/infrastructure.ts';

/**
 * A secret box that makes every value which passes through it known to the redactor, so that no log can hold it, and reports
 * when a secret could not be stored because the person has yet to choose how.
 */
export const watchfulSecrets = (box: SecretBox, redactor: Redactor, onChoiceNeeded: () => void): SecretBox => ({
  async seal(plain) {
    redactor.add(plain);
    try {
      return await box.seal(plain);
    } catch (error) {
      if (error instanceof AppError && error.code === 'weak-secrets') onChoiceNeeded();
      throw error;
    }
  },
  async open(sealed, onReseal) {
    const plain = await box.open(sealed, onReseal);
    redactor.add(plain);
    return plain;
  },
});
