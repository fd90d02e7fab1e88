import { beforeAll, describe, expect, it } from 'vitest';
import { setUpTexts } from '../i18n/index.ts';
import { ApiError, toApiError, unwrap } from './errors.ts';

beforeAll(setUpTexts);

describe('unwrap', () => {
  it('answers the value', async () => {
    await expect(unwrap(Promise.resolve({ ok: true, value: 7 }))).resolves.toBe(7);
  });

  it('throws a refusal with its code, message, hint and details', async () => {
    const error = { code: 'not-found', message: 'Gone.', hint: 'Choose another.', details: 'row 3' } as const;
    const thrown = await unwrap(Promise.resolve({ ok: false, error })).catch((reason) => reason);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject(error);
  });

  it('says in words that main could not be reached', async () => {
    const thrown = await unwrap(Promise.reject(new Error('channel closed'))).catch(toApiError);
    expect(thrown).toMatchObject({ code: 'internal', details: 'channel closed' });
    expect(thrown).toHaveProperty('message', expect.stringMatching(/went wrong/));
  });
});

describe('toApiError', () => {
  it('keeps an ApiError as it is', () => {
    const error = new ApiError({ code: 'busy', message: 'Busy.' });
    expect(toApiError(error)).toBe(error);
  });

  it('takes anything that can be thrown', () => {
    expect(toApiError('odd').details).toBe('odd');
    expect(toApiError(undefined).code).toBe('internal');
  });
});
