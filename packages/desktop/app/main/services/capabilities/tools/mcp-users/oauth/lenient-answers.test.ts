import { describe, expect, it } from 'vitest';
import { readLeniently } from './lenient-answers.ts';

const read = async (body: string, type = 'application/json') =>
  (await readLeniently(new Response(body, { headers: { 'content-type': type } }))).text();

describe('an answer of a sign-in service', () => {
  const tokens = { access_token: 'a', token_type: 'Bearer' };
  it.each([
    [{ access_token: 'a', refresh_token: null, scope: null, id_token: null }, tokens],
    [
      { access_token: 'a', refresh_token: '', scope: ['r', 'w'] },
      { ...tokens, scope: 'r w' },
    ],
    [
      { ...tokens, expires_in: '3600' },
      { ...tokens, expires_in: 3600 },
    ],
    [{ ...tokens, expires_in: '1h' }, tokens],
    [{ ...tokens, expires_in: '' }, tokens],
    [{ ...tokens, expires_in: [] }, tokens],
    [
      { access_token: 'a', token_type: 'bearer', more: { kept: null } },
      { ...tokens, token_type: 'bearer', more: { kept: null } },
    ],
    [{ error: 'invalid_grant', error_description: null }, { error: 'invalid_grant' }],
    [{ client_id: 'c', client_secret: null, client_uri: null }, { client_id: 'c' }],
  ])('%j is read as %j', async (given, expected) => {
    expect(JSON.parse(await read(JSON.stringify(given)))).toEqual(expected);
  });

  it('may be a form', async () => {
    const form = 'access_token=a%20b&token_type=bearer&expires_in=60&scope=';
    const expected = { access_token: 'a b', token_type: 'bearer', expires_in: 60, scope: '' };
    expect(JSON.parse(await read(form, 'application/x-www-form-urlencoded; charset=utf-8'))).toEqual(expected);
  });

  it.each(['<html>', '', 'null', '["a"]', '"text"'])('that is none (%s) stays as it is', async (body) => {
    expect(await read(body)).toBe(body);
  });
});
