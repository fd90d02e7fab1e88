import type { McpServerDraft, McpServerInput } from '@shared/contracts/mcp.contract.ts';
import { looksLikeCommands, readCommands } from './import/command-line.ts';
import { fillInputs, inputsOf, translateVariables } from './import/placeholders.ts';
import { reasonOf } from './import/problem.ts';
import { readServers, serversIn } from './import/shapes.ts';
import { nameKey } from './server-config.ts';
import { parseTolerantJson } from './tolerant-json.ts';

export interface ParsedServers {
  servers: McpServerDraft[];
  /** What could not be taken, and why. `name` is the server's, or `JSON` for the text as a whole. */
  problems: { name: string; reason: string }[];
  /** What the servers leave open and a person has to enter. Absent when there is nothing. */
  inputs?: McpServerInput[];
}

/**
 * Reads servers from pasted text: `{"mcpServers": {…}}`, VS Code's `{"servers": {…}, "inputs": […]}` (also inside `mcp`), a
 * bare map of servers by name, a single server, or command lines (`npx …`, `claude mcp add …`). Comments, trailing commas,
 * missing outer braces, code fences and typographic quotation marks are no problem. `${NAME}` becomes `${env:NAME}`, which
 * is how a variable of the environment is written here. Never throws.
 */
export function parseServersJson(text: string): ParsedServers {
  const { servers, ...rest } = read(bare(text));
  return {
    servers: servers.map((draft) => ({ ...draft, config: translateVariables(draft.config, 'braces') })),
    ...rest,
  };
}

function read(text: string): ParsedServers {
  // Documentation often shows only the entry, to be put into a file that is there already.
  const isEntry = /^"[^"\n]*"\s*:/.test(text);
  const isJson = isEntry || /^(?:[[{]|\/[/*]|"\s*[[{])/.test(text);
  if (!isJson && looksLikeCommands(text)) return withUniqueNames(readCommands(text));
  const json = isEntry ? `{${text}}` : text.replace(/,$/, '');
  let value: unknown;
  try {
    value = parseTolerantJson(json);
  } catch (error) {
    if (isJson) return nothing(explainSyntax(json, reasonOf(error)));
    return nothing('This is neither JSON nor a command that starts a server, such as npx … or docker run ….');
  }
  const found = serversIn(value);
  if (!found) {
    return nothing(
      'No servers were found. Expected {"mcpServers": {"name": {"command": …}}} or {"url": …} for each server.',
    );
  }
  if (Object.keys(found.map).length === 0) return nothing('The list of servers is empty.');
  const { servers, problems, inputs: defined } = readServers(found);
  const drafts = servers.map(({ draft }) => draft);
  const inputs = new Map<string, McpServerInput>();
  for (const { config } of drafts) {
    for (const input of inputsOf(config, defined)) inputs.set(input.id, { ...input, ...inputs.get(input.id) });
  }
  return { servers: drafts, problems, ...(inputs.size > 0 && { inputs: [...inputs.values()] }) };
}

/** Without what a web page or a chat puts around it: a code fence, and quotation marks that only look right. */
function bare(text: string): string {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const fenced = /^```[^\n`]*\n([\s\S]*)```$/.exec(trimmed) ?? /^`([^`]*)`$/.exec(trimmed);
  const plain = fenced?.[1]?.trim() ?? trimmed;
  return plain.includes('"') ? plain : plain.replace(/[“”„]/g, '"');
}

/** The line where reading stopped, and why, from what the parser says. */
function explainSyntax(text: string, said: string): string {
  const position = /at position (\d+)/.exec(said)?.[1];
  const atEnd = /end of JSON input/.test(said);
  const before = position === undefined ? text : text.slice(0, Number(position));
  const where = position !== undefined || atEnd ? ` (line ${before.split('\n').length})` : '';
  const hint = /escaped character/.test(said) ? ' A backslash has to be written twice, as in C:\\\\Users.' : '';
  return `This isn’t valid JSON${where}: ${said.replace(/ in JSON at position.*$/s, '')}.${hint}`;
}

/** Servers with what a person entered in the place of what they left open. */
export const withInputs = (drafts: McpServerDraft[], values: Readonly<Record<string, string>>): McpServerDraft[] =>
  drafts.map((draft) => fillInputs(draft, values));

const nothing = (reason: string): ParsedServers => ({ servers: [], problems: [{ name: 'JSON', reason }] });

function withUniqueNames({ drafts, problems }: ReturnType<typeof readCommands>): ParsedServers {
  const seen = new Set<string>();
  const servers: McpServerDraft[] = [];
  for (const draft of drafts) {
    if (seen.has(nameKey(draft.name))) {
      problems.push({ name: draft.name, reason: 'Another server in this text has the same name.' });
    } else servers.push(draft);
    seen.add(nameKey(draft.name));
  }
  return { servers, problems };
}
