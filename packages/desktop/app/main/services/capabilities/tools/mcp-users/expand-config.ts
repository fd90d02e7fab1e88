import os from 'node:os';
import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';

const VARIABLE = /\$\{env:([^}]*)\}/g;

/** Where placeholders get their values from. */
export interface ExpansionSource {
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

const ownSource = (): ExpansionSource => ({ env: process.env, home: os.homedir() });

/** Whether a text holds a placeholder for a variable of the environment, so that what it really is shows only at the start. */
export const hasVariable = (text: string): boolean => /\$\{env:[^}]*\}/.test(text);

/**
 * The configuration as it is used: `${env:NAME}` replaced by the app's own variable everywhere (`${env:NAME:-default}` by the
 * default where that isn't set), and a `~` at the beginning of
 * command, arguments, folder and values of variables by the home folder. What is stored, shown and agreed to stays unexpanded.
 * What a variable holds is not expanded again.
 * @throws AppError `invalid-config` that names a variable which isn't set
 */
export function expandConfig(
  config: McpServerConfig,
  serverName: string,
  source: ExpansionSource = ownSource(),
): McpServerConfig {
  const variables = (text: string, field: string): string =>
    text.replace(VARIABLE, (_all, inner: string) => {
      const [name = '', ...rest] = inner.split(':-');
      const value = source.env[name];
      if (value !== undefined && value !== '') return value;
      if (rest.length > 0) return rest.join(':-');
      throw new AppError('invalid-config', `The variable “${name}” that “${serverName}” uses is not set.`, {
        hint: `It stands in ${field}. Set it in the environment of the app and start the app again, or write the value itself.`,
      });
    });
  const path = (text: string, field: string): string => {
    const rest = /^~(?=$|[\\/])/.test(text) ? text.slice(1) : undefined;
    return rest === undefined ? variables(text, field) : source.home + variables(rest, field);
  };
  const values = (record: Record<string, string>, expand: typeof variables, kind: string) =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, expand(value, `the ${kind} “${name}”`)]));

  const { command, args, cwd, env, url, headers } = config;
  return {
    ...config,
    ...(command !== undefined && { command: path(command, 'its command') }),
    ...(args && { args: args.map((arg, index) => path(arg, `argument ${index + 1}`)) }),
    ...(cwd !== undefined && { cwd: path(cwd, 'its folder') }),
    ...(env && { env: values(env, path, 'variable') }),
    ...(url !== undefined && { url: variables(url, 'its URL') }),
    ...(headers && { headers: values(headers, variables, 'header') }),
  };
}
