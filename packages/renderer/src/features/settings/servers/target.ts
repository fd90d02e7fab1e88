import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { linesToArgs } from './logic/argument-lines.ts';
import { isBlank, type NameValue } from './logic/name-values.ts';
import type { ServerDraft } from './logic/server-draft.ts';
import type { Target } from './WhatRuns.tsx';

const withoutValues = (names: readonly string[]) => names.map((name) => [name, null] as const);

/** What a stored server starts or calls. */
export const targetOf = ({ type, config }: McpServerView): Target => targetOfView(type, config);

/** What a server starts or calls of which only the names of its secrets are known. */
export function targetOfView(type: Target['type'], config: McpServerView['config']): Target {
  const { command, args, cwd, url, envNames, headerNames } = config;
  return { type, command, args, cwd, url, env: withoutValues(envNames), headers: withoutValues(headerNames) };
}

/** What the form would start or call as it stands. */
export function targetOfForm(draft: ServerDraft): Target {
  const names = (rows: readonly NameValue[]) =>
    withoutValues(rows.filter((row) => !isBlank(row)).map(({ name }) => name.trim()));
  return {
    type: draft.type,
    command: draft.command.trim(),
    args: linesToArgs(draft.args),
    cwd: draft.cwd.trim() || undefined,
    url: draft.url.trim(),
    env: names(draft.env),
    headers: names(draft.headers),
  };
}

/** What a pasted server would start or call. */
export function targetOfPasted({ type, config }: McpServerDraft): Target {
  const { command, args, cwd, url, env = {}, headers = {} } = config;
  return { type, command, args, cwd, url, env: Object.entries(env), headers: Object.entries(headers) };
}
