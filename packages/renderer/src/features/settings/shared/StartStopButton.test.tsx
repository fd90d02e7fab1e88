// @vitest-environment happy-dom

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { ApiError } from '../../../bridge/errors.ts';
import { useToasts } from '../../../stores/toasts.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { StartStopButton } from './StartStopButton.tsx';

const user = userEvent.setup();

beforeEach(async () => {
  await setUp();
});

it('says that it could not be stopped, and can be pressed again', async () => {
  let stops = 0;
  const onStop = async () => {
    stops += 1;
    throw new ApiError({ code: 'call-lost', message: 'It does not answer.' });
  };
  renderInApp(
    <StartStopButton running onStart={() => undefined} onStop={onStop}>
      Test
    </StartStopButton>,
  );
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  const again = await screen.findByRole('button', { name: 'Stop' });
  expect(useToasts.getState().toasts.map(({ text }) => text)).toEqual(['It does not answer.']);
  again.focus();
  await user.keyboard('{Enter}');
  expect(stops).toBe(2);
});
