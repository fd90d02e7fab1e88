import { describe, expect, it } from 'vitest';
import type { Grant } from './grants.ts';
import { readTokens, withoutRefused } from './token-source.ts';

const clock = { now: () => 1000 };

describe('readTokens', () => {
  it('takes what was asked for as granted when the answer names no scope', () => {
    expect(readTokens({ access_token: 'a', expires_in: 2 }, 'read', clock)).toEqual({
      accessToken: 'a',
      refreshToken: undefined,
      scope: 'read',
      expiresAt: 3000,
    });
    expect(readTokens({ access_token: 'a', scope: 'less' }, 'read', clock)).toMatchObject({
      scope: 'less',
      expiresAt: undefined,
    });
  });
});

it.each([0, -5, Number.NaN, 1e300, undefined])(
  'a lifetime of %s says nothing of when a token is over',
  (expires_in) => {
    expect(readTokens({ access_token: 'a', expires_in }, undefined, clock).expiresAt).toBeUndefined();
  },
);

describe('withoutRefused', () => {
  const grant: Grant = {
    origin: 'https://mcp.example',
    issuer: 'https://login.example',
    authorizationServerUrl: 'https://login.example',
    client: { client_id: 'id' },
    tokens: { accessToken: 'a', refreshToken: 'r1' },
  };

  it('takes only the tokens that were refused', () => {
    expect(withoutRefused(grant, 'r1')).toEqual({ ...grant, tokens: undefined });
    expect(withoutRefused(grant, 'r0')).toBe(grant);
    expect(withoutRefused(undefined, 'r1')).toBeUndefined();
  });

  it('takes the client too, when that was refused', () => {
    expect(withoutRefused(grant, 'r1', true)).toBeUndefined();
    expect(withoutRefused(grant, 'r0', true)).toBe(grant);
  });
});
