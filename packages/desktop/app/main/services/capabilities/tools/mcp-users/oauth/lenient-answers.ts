const FORM = 'application/x-www-form-urlencoded';

/**
 * An answer of a sign-in service as the SDK takes it. A token endpoint can't be asked twice, so nothing that it gave may be
 * lost for a field that is written oddly: null is as good as absent, and tokens are read from a form too.
 */
export async function readLeniently(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  const isForm = headers.get('content-type')?.toLowerCase().includes(FORM) ?? false;
  const answer = isForm ? Object.fromEntries(new URLSearchParams(text)) : parseObject(text);
  const body = answer ? JSON.stringify(tidy(answer)) : text;
  return new Response([204, 205, 304].includes(status) ? null : body, { status, statusText, headers });
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function tidy(answer: Record<string, unknown>): Record<string, unknown> {
  const given = Object.fromEntries(Object.entries(answer).filter(([, value]) => value !== null));
  if (typeof given.access_token !== 'string') return given;
  const { expires_in: lifetime, scope, refresh_token: refreshToken, ...rest } = given;
  const seconds = typeof lifetime === 'string' && lifetime.trim() !== '' ? Number(lifetime) : lifetime;
  return {
    token_type: 'Bearer',
    ...rest,
    ...(typeof seconds === 'number' && Number.isFinite(seconds) && { expires_in: seconds }),
    ...(typeof scope === 'string' && { scope }),
    ...(Array.isArray(scope) && { scope: scope.join(' ') }),
    ...(typeof refreshToken === 'string' && refreshToken !== '' && { refresh_token: refreshToken }),
  };
}
