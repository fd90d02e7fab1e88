import type { McpServerDraft, McpServerInput } from '@shared/contracts/mcp.contract.ts';
import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';

const PLACEHOLDER = /\$\{([^{}]{1,200})\}/g;

/** Every text of a server in which other programs put placeholders. */
const textsOf = ({ command, args = [], cwd, url, env = {}, headers = {} }: McpServerConfig): string[] =>
  [command, ...args, cwd, url, ...Object.values(env), ...Object.values(headers)].filter((text) => text !== undefined);

/** The server with each of its texts changed; names of variables and headers stay. */
function mapTexts(config: McpServerConfig, change: (text: string) => string): McpServerConfig {
  const { command, args, cwd, url, env, headers } = config;
  const mapValues = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
  return {
    ...config,
    ...(command !== undefined && { command: change(command) }),
    ...(args && { args: args.map(change) }),
    ...(cwd !== undefined && { cwd: change(cwd) }),
    ...(url !== undefined && { url: change(url) }),
    ...(env && { env: mapValues(env) }),
    ...(headers && { headers: mapValues(headers) }),
  };
}

const placeholdersIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map((found) => found[1] ?? ''))),
];

/** Ids of the `${input:id}` in a server, each once. */
export const inputIdsOf = (config: McpServerConfig): string[] =>
  placeholdersIn(textsOf(config)).flatMap((name) => (name.startsWith('input:') ? [name.slice('input:'.length)] : []));

export const hasInput = (text: string): boolean => inputIdsOf({ command: text }).length > 0;

/** What has to be asked for before a server can be added. An id that the text doesn't define is taken for a secret. */
export function inputsOf(config: McpServerConfig, defined: readonly McpServerInput[]): McpServerInput[] {
  const readable = inputIdsOf({ ...config, env: {}, headers: {} });
  return inputIdsOf(config).map((id) => ({
    ...(defined.find((each) => each.id === id) ?? { id, secret: true }),
    ...(readable.includes(id) && { readable: true }),
  }));
}

/** A draft with what a person entered in the place of `${input:id}`. An input without a value stays as it is. */
export function fillInputs(draft: McpServerDraft, values: Readonly<Record<string, string>>): McpServerDraft {
  const fill = (text: string) =>
    text.replace(PLACEHOLDER, (whole, name: string) => {
      const id = name.startsWith('input:') ? name.slice('input:'.length) : undefined;
      return id !== undefined && Object.hasOwn(values, id) ? (values[id] ?? whole) : whole;
    });
  return { ...draft, config: mapTexts(draft.config, fill) };
}

/** Placeholders that mean nothing here. `${env:NAME}` and `${input:id}` are known. */
export const unknownPlaceholders = (config: McpServerConfig): string[] =>
  placeholdersIn(textsOf(config))
    .filter((name) => !/^(env|input):./.test(name))
    .map((name) => `\${${name}}`);

/** What `${workspaceFolder}` and `${userHome}` stand for in a file of a project or of a person. */
export function fillPlaces(config: McpServerConfig, places: { home: string; folder?: string }): McpServerConfig {
  return mapTexts(config, (text) =>
    text.replace(PLACEHOLDER, (whole, name: string) => {
      if (name === 'userHome') return places.home;
      return name === 'workspaceFolder' && places.folder !== undefined ? places.folder : whole;
    }),
  );
}

/** Another program's way to write a variable of the environment, with or without a default, as `${env:NAME}`, which means the same here. */
export function translateVariables(config: McpServerConfig, style: 'braces' | 'dollar'): McpServerConfig {
  const inBraces = String.raw`\{[A-Za-z_]\w*(?::-[^{}]*)?\}`;
  const written = new RegExp(style === 'braces' ? `\\$${inBraces}` : `\\$(${inBraces}|[A-Za-z_]\\w*)`, 'g');
  return mapTexts(config, (text) =>
    text.replace(written, (whole) => {
      const name = whole.replace(/[${}]/g, '');
      // These two say where the person and the project are, see fillPlaces.
      return name === 'userHome' || name === 'workspaceFolder' ? whole : `\${env:${name}}`;
    }),
  );
}
