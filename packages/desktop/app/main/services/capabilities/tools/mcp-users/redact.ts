import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';

/** What stands in the place of a secret. */
const HIDDEN = '•••';
/** Shorter values (`1`, `true`, `prod`) are no secrets, and hiding them would make a log unreadable. */
const SHORTEST_SECRET = 6;
/** Longer than a secret is, in characters: so much more than is kept has to be looked at where a text is cut. */
export const LONGEST_SECRET = 1024;
/** What is redacted is for people to read; the rest of a longer text is left out, however long it is. */
const LONGEST_TEXT = 16_384;
/** Longer than a secret is: so much more is looked at than is kept, or half of one could stand at the end. */
const MARGIN = 8192;

const SECRET_NAME = '(?:key|token|secret|passw(?:or)?d|pwd|auth|signature|sig)';
const FLAG = new RegExp(`^--?[\\w-]{0,60}${SECRET_NAME}(?:=(.+))?$`, 'is');
const ASSIGNMENT = new RegExp(`^\\w{0,60}${SECRET_NAME}=(.+)$`, 'is');
/**
 * What stands before a secret, and the secret. Every repetition has a limit: the text comes from a server, and must not decide
 * how long this takes.
 */
const PATTERNS: readonly RegExp[] = [
  /\b((?:bearer|basic)\s{1,9})[\w+/=.~-]{8,}/gi,
  /(:\/\/)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)/g,
  new RegExp(`([?&][\\w-]{0,60}${SECRET_NAME}=)[^&\\s"']+`, 'gi'),
];

/** Bearer tokens, and passwords and keys in URLs, each replaced by a mark. */
export const replaceSecrets = (text: string, mark: () => string): string =>
  PATTERNS.reduce((rest, pattern) => rest.replace(pattern, (_all, before: string) => before + mark()), text);

/** The part of an argument that its own name or the flag before it says to be secret; undefined when there is none. */
export function secretInArgument(arg: string, before = ''): string | undefined {
  const value = FLAG.exec(arg)?.[1] ?? ASSIGNMENT.exec(arg)?.[1];
  if (value !== undefined || FLAG.test(arg)) return value;
  const flag = FLAG.exec(before);
  return flag && flag[1] === undefined ? arg : undefined;
}

/** Hides the secrets of a server, bearer tokens, and passwords and keys in URLs. Cuts long texts. */
export function redactor(config: McpServerConfig): (text: string) => string {
  const known = [...new Set(secretsOf(config).flatMap(formsOf))]
    .filter((form) => form.length >= SHORTEST_SECRET)
    // The longest first: one secret may contain another.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text.slice(0, LONGEST_TEXT + MARGIN);
    for (const secret of known) redacted = redacted.replaceAll(secret, HIDDEN);
    redacted = replaceSecrets(redacted, () => HIDDEN);
    const kept = text.length > LONGEST_TEXT + MARGIN ? redacted.slice(0, -MARGIN) : redacted;
    return kept.slice(0, LONGEST_TEXT);
  };
}

/** Values of variables and headers, and the arguments whose name or flag says that they are secret. */
function secretsOf({ env = {}, headers = {}, args = [] }: McpServerConfig): string[] {
  const inArgs = args.flatMap((arg, at) => secretInArgument(arg, args[at - 1]) ?? []);
  return [...Object.values(env), ...Object.values(headers), ...inArgs];
}

/** A secret as it may turn up: without its scheme, line by line, in JSON, in a URL. */
const formsOf = (secret: string): string[] => [
  secret,
  secret.replace(/^\w+ /, ''),
  ...secret.split(/\r?\n/),
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];
