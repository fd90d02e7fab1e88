// @vitest-environment happy-dom

import type { ToolPart, ToolPartState } from '@shared/contracts/message-types.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { toolPart } from '../../../testing/messages.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { ToolCard } from './ToolCard.tsx';

let fake: FakeApi;
beforeEach(async () => {
  fake = await setUp();
});

const show = (values: Partial<ToolPart> = {}) => renderInApp(<ToolCard part={toolPart(values)} />);
const card = () => screen.getByTestId('tool-card');
const open = () => fireEvent.click(screen.getByRole('button', { expanded: false }));
const ok = (content: NonNullable<ToolPart['result']>['content'], structuredContent?: unknown) => ({
  result: { isError: false, content, structuredContent },
});

describe('the line', () => {
  it.each<[ToolPartState, string]>([
    ['streaming', 'Preparing'],
    ['running', 'Running'],
    ['done', 'Done'],
    ['failed', 'Failed'],
    ['denied', 'Denied'],
    ['cancelled', 'Cancelled'],
  ])('says that a call is %s', (state, words) => {
    show({ state });
    expect(card().dataset).toMatchObject({ state, callId: 'call-1' });
    expect(card().textContent).toContain('Sample files·read_file');
    expect(card().textContent).toContain(words);
  });

  it('shows how long a call took', () => {
    show({ startedAt: 1000, endedAt: 1440 });
    expect(card().textContent).toContain('0.4 s');
  });

  it('shows how far a running call is, in its own words or in numbers', () => {
    const { rerender } = show({ state: 'running', progress: { progress: 3, total: 12 } });
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(card().textContent).toContain('3 of 12');
    rerender(<ToolCard part={toolPart({ state: 'running', progress: { progress: 3, message: 'Reading' } })} />);
    expect(screen.getByRole('progressbar').hasAttribute('aria-valuenow')).toBe(false);
    expect(card().textContent).toContain('Reading');
  });

  it('says without opening why a call did not run', () => {
    show({ state: 'failed', error: { code: 'x', message: 'The server is gone.' } });
    expect(card().textContent).toContain('The server is gone.');
  });

  it('shows all that is known about a failure once it is open', () => {
    show({
      state: 'failed',
      error: { code: 'x', message: 'It stopped.', details: 'exit code 42\nthe reactor is empty' },
    });
    open();
    expect(screen.getByTestId('tool-result').textContent).toContain('the reactor is empty');
  });

  it('names a tool that does not exist as the model did', () => {
    show({ state: 'failed', serverId: undefined, serverName: undefined, toolName: undefined, wireName: 'made_up' });
    expect(card().textContent).toContain('made_up');
    expect(card().textContent).toContain('there is no such tool');
  });

  it.each([
    ['serverName', '<img src=x onerror=alert(1)>'],
    ['toolName', '<script>alert(1)</script>'],
    ['title', '<svg onload=alert(1)>'],
    ['wireName', '"><iframe srcdoc=x>'],
  ])('shows HTML in %s as text', (key, text) => {
    show({ toolName: undefined, ...{ [key]: text }, error: { code: 'x', message: text, details: text } });
    open();
    expect(card().textContent).toContain(text);
    expect(card().querySelector('img, script, iframe, [onload]')).toBeNull();
  });
});

describe('arguments', () => {
  it('are listed by name, text without quotes and with its line breaks', () => {
    show({ args: { path: 'a.txt', content: 'one\ntwo', times: 3, deep: { tags: ['x', ''] } } });
    open();
    const text = screen.getByTestId('tool-arguments').textContent;
    expect(text).toContain('one\ntwo');
    expect(text).not.toContain('"');
    for (const word of ['path', 'a.txt', 'times', '3', 'deep', 'tags', '1.', 'x', 'empty'])
      expect(text).toContain(word);
  });

  it('can be read as JSON', () => {
    show({ args: { path: 'a.txt' } });
    open();
    fireEvent.click(screen.getByRole('radio', { name: 'JSON' }));
    expect(JSON.parse(screen.getByTestId('tool-arguments').textContent ?? '')).toEqual({ path: 'a.txt' });
  });

  it('that are no object are shown as the model wrote them', () => {
    show({ state: 'failed', args: null, argsText: '{"path": "a' });
    open();
    expect(screen.getByTestId('tool-arguments').textContent).toBe('{"path": "a');
  });

  it('that are none are said to be none', () => {
    show({ args: {} });
    open();
    expect(card().textContent).toContain('No arguments.');
  });
});

describe('the result', () => {
  const result = () => screen.getByTestId('tool-result');

  it('exists only while the card is open', () => {
    show(ok([{ type: 'text', text: 'Hello' }]));
    expect(screen.queryByTestId('tool-result')).toBeNull();
    open();
    expect(result().textContent).toContain('Hello');
    fireEvent.click(screen.getByRole('button', { expanded: true }));
    expect(screen.queryByTestId('tool-result')).toBeNull();
  });

  it('shows text as it came, never as HTML', () => {
    const text = '<img src=x onerror=alert(1)>\n# no title';
    show(ok([{ type: 'text', text }]));
    open();
    expect(result().querySelector('pre')?.textContent).toBe(text);
    expect(result().querySelector('img')).toBeNull();
  });

  it('shows pictures, and names the kinds that it does not show', () => {
    show(
      ok([
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'image', data: 'aGk=', mimeType: 'text/html' },
      ]),
    );
    open();
    expect([...result().querySelectorAll('img')].map(({ src }) => src)).toEqual(['data:image/png;base64,aGk=']);
    expect(result().textContent).toContain('text/html');
  });

  it('plays sound', () => {
    show(ok([{ type: 'audio', data: 'aGk=', mimeType: 'audio/wav' }]));
    open();
    expect(result().querySelector('audio')?.getAttribute('src')).toBe('data:audio/wav;base64,aGk=');
  });

  it('shows resources and links; only links that may be opened are links', () => {
    show(
      ok([
        { type: 'resource', resource: { uri: 'file:///a.txt', text: 'Inside' } },
        { type: 'resource_link', uri: 'https://example.com/', name: 'Page' },
        { type: 'resource_link', uri: 'javascript:alert(1)', name: 'Trap' },
      ]),
    );
    open();
    expect(result().textContent).toMatch(/file:\/\/\/a\.txt.*Inside.*Page.*Trap/s);
    expect([...result().querySelectorAll('a')].map(({ href }) => href)).toEqual(['https://example.com/']);
  });

  it('shows a block of an unknown kind as it came', () => {
    show(ok([{ type: 'unknown', originalType: 'hologram', value: { depth: 3 } }]));
    open();
    expect(result().textContent).toContain('"depth": 3');
  });

  it('shows structured data once, whether or not a text block repeats it', () => {
    show(ok([{ type: 'text', text: '{"n": 3}' }], { n: 3 }));
    open();
    expect(result().querySelectorAll('pre')).toHaveLength(1);
  });

  it('shows structured data that the text does not have', () => {
    show(ok([{ type: 'text', text: '1 row' }], { rows: [7] }));
    open();
    expect(result().querySelectorAll('pre')).toHaveLength(2);
  });

  it('says that a result was cut, and opens the whole of it', async () => {
    const { result } = ok([{ type: 'text', text: 'beginning [… 5 characters left out …] end' }]);
    show({ state: 'done', result: { ...result, whole: { id: 'one', characters: 2_000_000 } } });
    open();
    expect(card().textContent).toContain('the middle was left out');
    fake.on('results.open', () => {
      throw { code: 'not-found', message: 'The whole result is not kept any more.' };
    });
    fireEvent.click(screen.getByRole('button', { name: 'Open whole result' }));
    await waitFor(() => expect(card().textContent).toContain('is not kept any more'));
    expect(fake.calls).toContainEqual(['results.open', { id: 'one' }]);
  });

  it('offers nothing to open where the disk refused to keep it', () => {
    const { result } = ok([{ type: 'text', text: 'beginning' }]);
    show({ state: 'done', result: { ...result, whole: { characters: 2_000_000 } } });
    open();
    expect(card().textContent).toContain('could not be kept');
    expect(screen.queryByRole('button', { name: 'Open whole result' })).toBeNull();
  });

  it('says when there is none', () => {
    show(ok([]));
    open();
    expect(result().textContent).toContain('without output');
  });

  it('marks what the tool reported as an error', () => {
    show({ state: 'failed', result: { isError: true, content: [{ type: 'text', text: 'no such file' }] } });
    open();
    expect(result().textContent).toMatch(/reported an error.*no such file/s);
  });

  it('folds long text and brings a huge one in pieces, so that the window stays alive', async () => {
    const text = `${'x'.repeat(9_999_999)}!`;
    show(ok([{ type: 'text', text }]));
    open();
    const shown = () => result().querySelector('pre')?.textContent?.length ?? 0;
    expect(shown()).toBeLessThan(5_000);
    fireEvent.click(screen.getByRole('button', { name: /more of/ }));
    expect(shown()).toBeGreaterThan(40_000);
    expect(shown()).toBeLessThan(110_000);
    fireEvent.click(screen.getByRole('button', { name: 'Copy result' }));
    await waitFor(() => expect(fake.calls.at(-1)).toEqual(['app.copyText', { text }]));
    await act(() => new Promise((resolve) => setTimeout(resolve)));
  });
});
