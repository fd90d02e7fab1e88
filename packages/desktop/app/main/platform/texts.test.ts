import { expect, it } from 'vitest';
import { fill, texts } from './texts.ts';

it('fills texts of the catalogue, with values as they are', () => {
  expect(fill(texts.notification.waits, { asker: '$& <b>{{asker}}</b>' })).toBe(
    '$& <b>{{asker}}</b> waits for your answer.',
  );
  expect(fill('{{a}} and {{b}}', { b: '2' })).toBe('{{a}} and 2');
});
