// @vitest-environment happy-dom
import { cleanup, fireEvent, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useEscape } from './useEscape.ts';

let taken: string[];
beforeEach(() => {
  taken = [];
});
afterEach(cleanup);

function Taker({ name, takes = true, children }: { name: string; takes?: boolean; children?: ReactNode }) {
  useEscape(() => {
    if (takes) taken.push(name);
    return takes;
  });
  return children;
}

/** Whether somebody took it. */
const press = () => !fireEvent.keyDown(document.body, { key: 'Escape' });

describe('Esc', () => {
  it('goes to what is further in, and on to the one around it', () => {
    const view = (open: boolean) => <Taker name="view">{open && <Taker name="panel" />}</Taker>;
    const { rerender } = render(view(true));
    expect(press()).toBe(true);
    expect(taken).toEqual(['panel']);
    rerender(view(false));
    press();
    rerender(view(true));
    press();
    expect(taken).toEqual(['panel', 'view', 'panel']);
  });

  it('goes past those that have nothing to do', () => {
    const { unmount } = render(
      <Taker name="view">
        <Taker name="panel" takes={false} />
      </Taker>,
    );
    press();
    expect(taken).toEqual(['view']);
    unmount();
    expect(press()).toBe(false);
    expect(taken).toEqual(['view']);
  });

  it('is left to a control that takes it, and to what lies over the view', () => {
    const { getByRole } = render(
      <Taker name="view">
        <input onKeyDown={(event) => event.preventDefault()} />
      </Taker>,
    );
    fireEvent.keyDown(getByRole('textbox'), { key: 'Escape' });
    fireEvent.keyDown(document.body, { key: 'Escape', isComposing: true });
    render(<div role="menu" />);
    expect(press()).toBe(false);
    expect(taken).toEqual([]);
  });
});
