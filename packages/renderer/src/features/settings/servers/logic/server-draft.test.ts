import { describe, expect, it } from 'vitest';
import { httpServer, stdioServer } from '../test-support.ts';
import { draftOf, emptyDraft, secretsMoved, toAddInput, toInput } from './server-draft.ts';

describe('toInput', () => {
  it('gives a stored server back as it is, with its secrets kept', () => {
    const server = stdioServer({ args: ['-y', '', 'a\nb'], cwd: '/tmp', envNames: ['TOKEN'] });
    expect(toInput(draftOf({ ...server, limits: { idleMs: 1500 } }))).toEqual({
      name: server.name,
      type: 'stdio',
      config: { command: 'npx', args: ['-y', '', 'a\nb'], cwd: '/tmp', env: { TOKEN: null } },
      limits: { idleMs: 1500 },
    });
    expect(toInput(draftOf(httpServer({ headerNames: ['Authorization'] }))).config).toEqual({
      url: 'https://example.com/mcp',
      headers: { Authorization: null },
    });
  });

  it('leaves out what belongs to another transport', () => {
    const draft = {
      ...draftOf(stdioServer({ envNames: ['TOKEN'] })),
      type: 'sse' as const,
      url: ' https://a.example ',
    };
    expect(toInput(draft).config).toEqual({ url: 'https://a.example', headers: undefined });
  });

  it('keeps the protocol that was chosen, where there is a choice', () => {
    const chosen = draftOf({ ...stdioServer(), protocol: '2026-07-28' });
    expect(toInput(chosen).protocol).toBe('2026-07-28');
    expect(toInput({ ...chosen, type: 'sse' }).protocol).toBeUndefined();
    expect(toInput({ ...chosen, protocol: 'auto' }).protocol).toBeUndefined();
    expect(draftOf(stdioServer()).protocol).toBe('auto');
  });

  it('takes a size in MiB, and the time until it is closed for a program only', () => {
    const limits = { ...emptyDraft().limits, idleCloseMs: '90', maxFrameBytes: '1.5' };
    expect(toAddInput({ ...emptyDraft(), limits }).limits).toEqual({ idleCloseMs: 90_000, maxFrameBytes: 1_572_864 });
    expect(toAddInput({ ...emptyDraft(), type: 'http', limits }).limits).toEqual({ maxFrameBytes: 1_572_864 });
  });

  it('keeps what belongs to an address with a placeholder as long as it stays the same text', () => {
    const url = `$\{env:HOST}/mcp`;
    const server = { ...httpServer({ url, headerNames: ['A'] }) };
    expect(secretsMoved(draftOf(server), server)).toBe(false);
    expect(secretsMoved({ ...draftOf(server), url: `$\{env:OTHER}/mcp` }, server)).toBe(true);
  });

  it('takes limits in seconds and leaves out those that are empty', () => {
    const limits = { ...emptyDraft().limits, startMs: '2.5', idleMs: ' ', totalMs: '60' };
    expect(toAddInput({ ...emptyDraft(), limits }).limits).toEqual({ startMs: 2500, totalMs: 60_000 });
    expect(toAddInput(emptyDraft()).limits).toBeUndefined();
  });
});

describe('secretsMoved', () => {
  it('follows the command of a program, and nothing else of it', () => {
    const server = stdioServer({ envNames: ['TOKEN'] });
    const draft = draftOf(server);
    expect(secretsMoved(draft, server)).toBe(false);
    expect(secretsMoved({ ...draft, name: 'x', args: 'other', cwd: '/' }, server)).toBe(false);
    expect(secretsMoved({ ...draft, command: 'uvx' }, server)).toBe(true);
    // Nothing typed yet: there is nothing to say.
    expect(secretsMoved({ ...draft, command: '' }, server)).toBe(false);
  });

  it('follows the origin of an address, and not its path', () => {
    const server = httpServer({ headerNames: ['Authorization'] });
    const draft = draftOf(server);
    expect(secretsMoved({ ...draft, url: 'https://example.com/other?x=1' }, server)).toBe(false);
    expect(secretsMoved({ ...draft, url: 'https://example.com:443/' }, server)).toBe(false);
    for (const url of ['http://example.com/mcp', 'https://example.com:8443/mcp', 'https://evil.example/mcp']) {
      expect(secretsMoved({ ...draft, url }, server)).toBe(true);
    }
    expect(secretsMoved({ ...draft, type: 'sse' }, server)).toBe(false);
  });
});
