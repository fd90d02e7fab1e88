/**
 * Parses JSON that may have comments, trailing commas and a byte order mark, as configuration files do. Takes time in
 * proportion to the text, whatever stands in it. Throws SyntaxError.
 */
export function parseTolerantJson(text: string): unknown {
  const plain = text.replace(/^\uFEFF/, '');
  try {
    return JSON.parse(plain);
  } catch {
    return JSON.parse(stripExtras(plain));
  }
}

/** Blanks out comments and trailing commas, and moves nothing; what stands in strings is left alone. */
function stripExtras(text: string): string {
  const parts: string[] = [];
  /** Where in `parts` a comma stands that has been followed by nothing but space and comments. */
  let comma = -1;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    const end = endOfToken(text, at);
    if (char === '/' && end > at + 1) parts.push(text.slice(at, end).replace(/[^\n]/g, ' '));
    else {
      if ((char === '}' || char === ']') && comma >= 0) parts[comma] = ' ';
      parts.push(text.slice(at, end));
      if (char === ',') comma = parts.length - 1;
      else if (!/\s/.test(char)) comma = -1;
    }
    at = end;
  }
  return parts.join('');
}

/** Where the string, the comment or the character that begins at `at` ends. */
function endOfToken(text: string, at: number): number {
  const next = text.charAt(at + 1);
  if (text.charAt(at) === '"') return endOfString(text, at);
  if (text.charAt(at) !== '/' || (next !== '/' && next !== '*')) return at + 1;
  const close = next === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2);
  if (close < 0) return text.length;
  return next === '/' ? close : close + 2;
}

function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    if (text.charAt(end) === '\\') end += 1;
    else if (text.charAt(end) === '"') return end + 1;
  }
  return text.length;
}
