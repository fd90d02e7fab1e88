import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { checkIssuer, chooseScope } from './authorization-servers.ts';

describe('chooseScope', () => {
  const resourceMetadata = { scopes_supported: ['read', 'write'] };
  it.each([
    ['what the refusal names', { challenge: { needs: 'sign-in', scope: 'mail' }, resourceMetadata }, 'mail'],
    ['else what the resource names', { challenge: { needs: 'sign-in' }, resourceMetadata }, 'read write'],
    ['else nothing', { challenge: { needs: 'sign-in' } }, undefined],
    ['nothing without a refusal either', {}, undefined],
    [
      'more rights on top of those that there are, each once',
      { challenge: { needs: 'more-rights', scope: 'admin read' }, resourceMetadata, grantedScope: 'read write' },
      'read write admin',
    ],
    [
      'only what a new refusal names, not what was granted once',
      { challenge: { needs: 'sign-in', scope: 'read' }, grantedScope: 'read admin' },
      'read',
    ],
    [
      'staying signed in, where it is offered',
      { resourceMetadata, metadata: { scopes_supported: ['read', 'offline_access'] } },
      'read write offline_access',
    ],
    ['staying signed in, not by itself', { metadata: { scopes_supported: ['offline_access'] } }, undefined],
  ] as [string, Parameters<typeof chooseScope>[0], string | undefined][])('asks for %s', (_, from, scope) => {
    expect(chooseScope(from)).toBe(scope);
  });
});

describe('checkIssuer', () => {
  const place = (names: boolean | undefined) => ({
    metadata: {
      issuer: 'https://login.example',
      authorization_response_iss_parameter_supported: names,
    } as AuthorizationServerMetadata,
  });

  it.each([
    ['the right one', 'https://login.example', true],
    ['the right one, though not promised', 'https://login.example', undefined],
    ['none, where none is promised', null, undefined],
  ])('takes %s', (_, iss, names) => {
    checkIssuer(iss, place(names));
  });

  it.each([
    ['another one', 'https://evil.example', true],
    ['another one, though not promised', 'https://evil.example', undefined],
    ['nearly the right one', 'https://login.example/', true],
    ['none, where one is promised', null, true],
    ['an empty one', '', undefined],
  ])('refuses %s', (_, iss, names) => {
    expect(() => checkIssuer(iss, place(names))).toThrow('another sign-in service');
  });
});
