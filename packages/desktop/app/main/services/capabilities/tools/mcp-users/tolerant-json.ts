/** Parses JSON that may have comments, trailing commas and a byte order mark, as configuration files do. Throws SyntaxError. */
export function parseTolerantJson(text: string): unknown {
  return JSON.parse(stripExtras(text.replace(/^\uFEFF/, '')));
}

/** Blanks out comments and trailing commas, and moves nothing; what stands in strings is left alone. */
function stripExtras(text: string): string {
  // A string, a comment, a comma that is followed by nothing but comments and a closing bracket, or any other character.
  const token = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[}\]])/g;
  return text.replace(token, (found) => (found.startsWith('"') ? found : found.replace(/[^\n]/g, ' ')));
}
