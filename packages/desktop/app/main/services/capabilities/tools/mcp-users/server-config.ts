import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import type { McpServerConfig, McpServerTransport } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import { hasVariable } from './expand-config.ts';
import { MODERN_VERSION } from './negotiation.ts';

type Config = Pick<McpServerConfig, 'command' | 'args' | 'cwd' | 'url'>;

/** A draft whose secret values may be null: the stored ones stand in for them. */
export type ServerInput = Omit<McpServerDraft, 'config'> & {
  config: Omit<McpServerConfig, 'env' | 'headers'> & {
    env?: Record<string, string | null>;
    headers?: Record<string, string | null>;
  };
};

const invalid = (message: string, hint?: string) => new AppError('invalid-config', message, { hint });

/** Throws AppError `invalid-config` that names what is wrong with a server as a person gave it. */
export function checkConfig({ name, type, config, protocol }: ServerInput): void {
  if (type === 'sse' && protocol === MODERN_VERSION) {
    throw invalid(
      `The server “${name}” can’t speak revision ${protocol} over SSE.`,
      'Choose HTTP or another protocol.',
    );
  }
  if (type === 'stdio') {
    if (!config.command?.trim()) throw invalid(`The server “${name}” needs a command to start.`);
    const texts = [config.command, config.cwd ?? '', ...(config.args ?? []), ...Object.values(config.env ?? {})];
    if (texts.some((text) => text?.includes('\0')))
      throw invalid(`The server “${name}” has a NUL character in its command.`);
    const badName = Object.keys(config.env ?? {}).find((key) => key === '' || /[=\0]/.test(key));
    if (badName !== undefined) throw invalid(`“${badName}” can’t be the name of an environment variable.`);
    return;
  }
  if (!config.url) throw invalid(`The server “${name}” needs a URL.`);
  const url = URL.canParse(config.url) ? new URL(config.url) : undefined;
  // Checked again when it is known what the variables hold.
  const isOpen = !url && hasVariable(config.url);
  if (!isOpen && (!url || !['http:', 'https:'].includes(url.protocol))) {
    throw invalid(`The URL of the server “${name}” is not valid.`, 'It begins with https:// or http://.');
  }
  if (url?.username || url?.password) {
    throw invalid(`The URL of the server “${name}” contains a user name or password.`, 'Put it into a header instead.');
  }
  for (const [header, value] of Object.entries(config.headers ?? {})) {
    try {
      new Headers({ [header]: value ?? '' });
    } catch {
      throw invalid(`The header “${header}” has a name or a value that can’t be sent.`);
    }
  }
}

/** What a server's secrets belong to: they are of use, and of danger, only there. */
export function secretBinding(type: McpServerTransport, config: Config): string {
  if (type === 'stdio') return `command ${config.command}`;
  const url = URL.parse(config.url ?? '');
  return url ? `origin ${url.origin}` : `address ${config.url}`;
}

/** What a person agrees to when a program is started: everything that decides what runs. */
export function consentFor(config: Config, envNames: string[]): string {
  return JSON.stringify([config.command ?? '', config.args ?? [], config.cwd ?? '', [...envNames].sort()]);
}

/** Names that differ only in case are the same name. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();
