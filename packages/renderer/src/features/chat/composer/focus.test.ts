// @vitest-environment happy-dom

import { afterEach, expect, it } from 'vitest';
import { COMPOSER_ID, dropFocus, focusComposer } from './focus.ts';

const nextFrame = () => new Promise(requestAnimationFrame);

function addComposer() {
  const composer = document.createElement('textarea');
  composer.id = COMPOSER_ID;
  document.body.append(composer);
  return composer;
}

afterEach(() => document.body.replaceChildren());

it('the focus moves to the composer with the next frame', async () => {
  const composer = addComposer();
  focusComposer();
  expect(document.activeElement).not.toBe(composer);
  await nextFrame();
  expect(document.activeElement).toBe(composer);
});

it('it stays where it is when something has opened meanwhile', async () => {
  const composer = addComposer();
  focusComposer();
  dropFocus();
  await nextFrame();
  expect(document.activeElement).not.toBe(composer);
});
