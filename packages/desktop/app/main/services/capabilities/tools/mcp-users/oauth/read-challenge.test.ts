import { describe, expect, it } from 'vitest';
import { readChallenge } from './read-challenge.ts';

const read = (header: string) => {
  const { resourceMetadataUrl, ...rest } = readChallenge(
    new Response(null, { status: 401, headers: { 'www-authenticate': header } }),
    'https://mcp.example/mcp',
  );
  return { resource: resourceMetadataUrl?.href, ...rest };
};

describe('a challenge', () => {
  const resource = 'https://x.example/a';
  it.each([
    ['Bearer resource_metadata="https://x.example/a"', { resource }],
    ['bearer realm="x",resource_metadata=https://x.example/a', { resource }],
    ['BEARER  Resource_Metadata = "https://x.example/a"', { resource }],
    ["Bearer resource_metadata='https://x.example/a'", { resource }],
    ['Bearer resource_metadata="/a"', { resource: 'https://mcp.example/a' }],
    ['Basic realm="a", Bearer resource_metadata="https://x.example/a", scope="r w"', { resource, scope: 'r w' }],
    ['Negotiate abc==, Bearer scope="z"', { scope: 'z' }],
    ['Bearer scope="a", Basic realm="b", scope="c"', { scope: 'a' }],
    ['Digest scope="c", Bearer error="invalid_token"', { error: 'invalid_token' }],
    ['Bearer error=insufficient_scope, scope=admin', { error: 'insufficient_scope', scope: 'admin' }],
    [
      'Bearer error_description="scope=x, error=y \\"q\\"", error="insufficient_scope", scope="z"',
      { error: 'insufficient_scope', scope: 'z' },
    ],
    ['Bearer scope="", error=""', {}],
    ['Bearer resource_metadata="https://"', {}],
    ['Bearer', {}],
    ['error="', {}],
    ['', {}],
  ])('%s is understood', (header, expected) => {
    expect(read(header)).toEqual({ resource: undefined, scope: undefined, error: undefined, ...expected });
  });

  it('costs time in proportion to what stands in it', () => {
    const began = performance.now();
    read(`Bearer ${'a="\\'.repeat(4000)}`);
    read(`Bearer ${'a '.repeat(8000)}`);
    expect(performance.now() - began).toBeLessThan(2000);
  });
});
