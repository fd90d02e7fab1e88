import { describe, expect, it } from 'vitest';
import { httpServer, stdioServer } from '../test-support.ts';
import { draftOf, emptyDraft, type ServerDraft } from './server-draft.ts';
import { validateDraft } from './validate-draft.ts';

const program = (values: Partial<ServerDraft> = {}): ServerDraft => ({
  ...emptyDraft(),
  name: 'one',
  command: 'npx',
  ...values,
});
const address = (values: Partial<ServerDraft> = {}): ServerDraft => ({
  ...emptyDraft(),
  name: 'one',
  type: 'http',
  url: 'https://example.com/mcp',
  ...values,
});
const row = (name: string, value = 'v', id = 0) => ({ id, name, value, stored: false });
const noLimits = emptyDraft().limits;
const check = (draft: ServerDraft, others: string[] = []) => validateDraft(draft, undefined, others);

describe('validateDraft', () => {
  it('finds nothing wrong with what main takes', () => {
    expect(check(program({ env: [row('A', ''), row('B', 'x\ny', 1)], args: '-y\nfoo', cwd: '/tmp' }))).toEqual({});
    expect(check(address({ headers: [row('X-Api-Key', 'naïve')] }))).toEqual({});
    expect(check(program({ limits: { ...noLimits, startMs: '0.1', idleMs: '3600', totalMs: '86400' } }))).toEqual({});
  });

  it.each([
    ['name', program({ name: '  ' }), 'nameMissing'],
    ['name', program({ name: 'x'.repeat(129) }), 'nameTooLong'],
    ['name', program({ name: ' ÉcoLe ' }), 'nameTaken'],
    ['command', program({ command: ' ' }), 'commandMissing'],
    ['command', program({ command: 'a\0b' }), 'nulCharacter'],
    ['args', program({ args: 'a\nb\0' }), 'nulCharacter'],
    ['args', program({ args: 'a\n'.repeat(1001) }), 'tooMany'],
    ['cwd', program({ cwd: 'x'.repeat(4097) }), 'tooLong'],
    ['env.0', program({ env: [row('', 'v')] }), 'rowNameMissing'],
    ['env.0', program({ env: [row('A=B')] }), 'variableName'],
    ['env.0', program({ env: [row('__proto__')] }), 'variableName'],
    ['env.0', program({ env: [row('A', 'a\0')] }), 'nulCharacter'],
    ['env.1', program({ env: [row('A'), row(' A ', 'v', 1)] }), 'rowNameTaken'],
    ['url', address({ url: '' }), 'urlMissing'],
    ['url', address({ url: 'example.com' }), 'urlInvalid'],
    ['url', address({ url: 'file:///etc/passwd' }), 'urlInvalid'],
    ['url', address({ url: 'https://me:secret@example.com' }), 'urlCredentials'],
    ['headers.0', address({ headers: [row('Not a token')] }), 'headerName'],
    ['headers.0', address({ headers: [row('X', 'a\nb')] }), 'headerValue'],
    ['headers.0', address({ headers: [row('X', '日本')] }), 'headerValue'],
    ['headers.1', address({ headers: [row('X-Key'), row('x-key', 'v', 1)] }), 'rowNameTaken'],
    ['limits.idleMs', program({ limits: { ...noLimits, startMs: '', idleMs: '0', totalMs: '' } }), 'limit'],
    ['limits.startMs', program({ limits: { ...noLimits, startMs: '601', idleMs: '', totalMs: '' } }), 'limit'],
    ['limits.idleCloseMs', program({ limits: { ...noLimits, idleCloseMs: '0.5' } }), 'limit'],
    ['limits.maxFrameBytes', program({ limits: { ...noLimits, maxFrameBytes: '513' } }), 'limit'],
    ['limits.totalMs', program({ limits: { ...noLimits, startMs: '', idleMs: '', totalMs: 'soon' } }), 'limit'],
  ])('names what is wrong with %s', (field, draft, problem) => {
    expect(check(draft, ['e\u0301cole'])).toEqual({ [field]: problem });
  });

  it('does not hold what belongs to another transport against a draft', () => {
    expect(check(address({ command: '\0', env: [row('=')] }))).toEqual({});
    expect(check(program({ url: 'nonsense', headers: [row('not a token')] }))).toEqual({});
  });

  it('asks for stored values again where the command or the origin changed', () => {
    const server = stdioServer({ envNames: ['A', 'B'] });
    const draft = draftOf(server);
    expect(validateDraft(draft, server, [])).toEqual({});
    expect(validateDraft({ ...draft, command: 'uvx' }, server, [])).toEqual({
      'env.0': 'enterAgain',
      'env.1': 'enterAgain',
    });
    const [first, second] = draft.env;
    const replaced = [{ ...first!, stored: false, value: 'new' }, second!];
    expect(validateDraft({ ...draft, command: 'uvx', env: replaced }, server, [])).toEqual({ 'env.1': 'enterAgain' });

    const remote = httpServer({ headerNames: ['Authorization'] });
    const moved = { ...draftOf(remote), url: 'https://other.example/mcp' };
    expect(validateDraft(moved, remote, [])).toEqual({ 'headers.0': 'enterAgain' });
  });
});
