import type { McpServerDraft, McpServerInput } from '@shared/contracts/mcp.contract.ts';

export type InputValues = Readonly<Record<string, string>>;

/** What stands in an input's field: what was entered, or what it holds at first. */
export const entered = ({ id, initial, choices }: McpServerInput, values: InputValues): string =>
  values[id] ?? initial ?? choices?.[0] ?? '';

export const isMissing = (input: McpServerInput, values: InputValues): boolean => entered(input, values) === '';

/** The inputs that these servers leave open, each once. */
export function inputsFor(servers: readonly McpServerDraft[], inputs: readonly McpServerInput[]): McpServerInput[] {
  const text = JSON.stringify(servers.map(({ config }) => config));
  return inputs.filter(({ id }) => text.includes(JSON.stringify(`\${input:${id}}`).slice(1, -1)));
}
