import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import { readMcpAdd } from './claude-mcp-add.ts';
import { LAUNCHERS } from './launchers.ts';
import { ImportProblem, reasonOf } from './problem.ts';
import { readServer } from './read-server.ts';
import { nameFor } from './server-name.ts';
import { quotingOf, splitAt, splitCommandLine } from './split-command-line.ts';

const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const PROMPT = /^(\$|>|PS>|PS [A-Za-z]:\\[^>]*>|%)\s+/;
const VARIABLES_BEFORE = /^(env\s+)?([A-Za-z_]\w*=("[^"]*"|'[^']*'|[^\s"'])*\s+)*/;

/** Whether a text that isn't JSON may be meant as commands or addresses. */
export const looksLikeCommands = (text: string): boolean => commandLines(text).some(isCommand);

/** A launcher, a path, an address, a program of Windows, or one that is named after MCP. */
function isCommand(line: string): boolean {
  const [first = ''] = line.replace(VARIABLES_BEFORE, '').split(/\s/);
  const program = first.replace(/^["']|["']$/g, '').replace(/\.(exe|cmd|bat)$/i, '');
  if (LAUNCHERS.has(program.toLowerCase()) || program !== first.replace(/^["']|["']$/g, '')) return true;
  return /^(\.{0,2}\/|~\/|[A-Za-z]:\\|https?:\/\/)/.test(program) || /(^|[-_])mcp[-_]|[-_]mcp$/i.test(program);
}

/**
 * Servers from command lines, one a line: what would start a server (`npx …`, `uvx …`, `docker run …`), what adds one to
 * another program (`claude mcp add …`), or an address. Each line is read by itself and may fail by itself; what a line before
 * it sets with `export` or `set` is in its environment.
 */
export function readCommands(text: string): { drafts: McpServerDraft[]; problems: { name: string; reason: string }[] } {
  const drafts: McpServerDraft[] = [];
  const problems: { name: string; reason: string }[] = [];
  let env: Record<string, string> = {};
  for (const line of commandLines(text)) {
    try {
      const [, assignment] = /^(?:export|set)\s+([A-Za-z_]\w*=.*)$/s.exec(line) ?? [];
      if (assignment === undefined) drafts.push(readCommand(line, env));
      else env = { ...env, ...takeAssignments(splitCommandLine(assignment, quotingOf(assignment))) };
    } catch (error) {
      problems.push({ name: line.slice(0, 80), reason: reasonOf(error) });
    }
  }
  return { drafts, problems };
}

/**
 * Lines without prompts and comments; a line that ends in `\`, `^` or a backtick goes on in the next, and one with an open
 * quote up to where it is closed. Takes time in proportion to the text.
 */
function commandLines(text: string): string[] {
  const joined = text.replace(/[\\^`][ \t]*\r?\n[ \t]*/g, ' ');
  const quoting = quotingOf(joined);
  const lines: string[] = [];
  let from = 0;
  let quote = '';
  for (let at = 0; at < joined.length; at += 1) {
    const char = joined.charAt(at);
    if (quote !== '') {
      if (char === '\\' && quoting === 'posix' && quote === '"') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '\n') {
      lines.push(joined.slice(from, at));
      from = at + 1;
    } else if (char === '#' && joined.slice(from, at).trim() === '') {
      const end = joined.indexOf('\n', at);
      at = end < 0 ? joined.length : end;
      from = at + 1;
    } else if (char === '\\' && quoting === 'posix') at += 1;
    else if (char === '"' || (char === "'" && (quoting === 'posix' || /\s/.test(joined.charAt(at - 1))))) quote = char;
  }
  lines.push(joined.slice(from));
  return lines.map((line) => line.trim().replace(PROMPT, '')).filter((line) => line !== '');
}

function readCommand(line: string, exported: Readonly<Record<string, string>>): McpServerDraft {
  if (/^https?:\/\/\S+$/.test(line)) return readServer(nameFor({ url: line }), { url: line });
  const words = splitCommandLine(line, quotingOf(line));
  if (words[0] === 'env') words.shift();
  const env = { ...exported, ...takeAssignments(words) };
  const [command, ...args] = words;
  if (command === undefined) throw new ImportProblem('There is no program in it.');
  const added = readMcpAdd(command, args);
  if (added) return added;
  if (!isCommand(line)) throw new ImportProblem('This is neither JSON nor a command that starts a server.');
  return readServer(nameFor({ command, args }), { command, args, ...(Object.keys(env).length > 0 && { env }) });
}

/** Takes the assignments away from the beginning of `words`. */
function takeAssignments(words: string[]): Record<string, string> {
  const values: Record<string, string> = {};
  while (words[0] !== undefined && ASSIGNMENT.test(words[0])) {
    const [name, value] = splitAt(words.shift() ?? '', '=');
    values[name] = value;
  }
  return values;
}
