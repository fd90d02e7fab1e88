import type { McpServerDraft, McpServerInput } from '@shared/contracts/mcp.contract.ts';
import { looksLikeCommands, readCommands } from './import/command-line.ts';
import { fillInputs, inputsOf } from './import/placeholders.ts';
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
 * bare map of servers by name, a single server, or command lines (`npx …`, `claude mcp add …`). Comments and trailing commas
 * are no problem. Never throws.
 */
export function parseServersJson(text: string): ParsedServers {
  const plain = text.replace(/^\uFEFF/, '').trim();
  const isJson = /^(?:[[{"]|\/[/*])/.test(plain);
  if (!isJson && looksLikeCommands(plain)) return withUniqueNames(readCommands(plain));
  let value: unknown;
  try {
    value = parseTolerantJson(text);
  } catch (error) {
    if (isJson) return nothing(explainSyntax(text, reasonOf(error)));
    return nothing(`This is neither valid JSON nor a command that starts a server: ${reasonOf(error)}`);
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

/** The line where reading stopped, and why, from what the parser says. */
function explainSyntax(text: string, said: string): string {
  const position = /at position (\d+)/.exec(said)?.[1];
  const atEnd = /end of JSON input/.test(said);
  const before = position === undefined ? text : text.slice(0, Number(position));
  const where = position !== undefined || atEnd ? ` (line ${before.split('\n').length})` : '';
  return `This isn’t valid JSON${where}: ${said.replace(/ in JSON at position.*$/s, '')}.`;
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
