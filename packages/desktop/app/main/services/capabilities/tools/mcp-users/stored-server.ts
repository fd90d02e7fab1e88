import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import {
  builtinOptionsSchema,
  mcpProtocolSchema,
  mcpServerLimitsSchema,
  mcpServerNameSchema,
  mcpServerTransportSchema,
} from '@shared/contracts/mcp-types.ts';
import { z } from 'zod';
import { AppError } from '../../../ports/errors.ts';
import type { Era } from './negotiation.ts';
import { consentFor } from './server-config.ts';

const sealedValues = z.record(z.string(), z.string()).default({});

/** A server as it lies in the store: every secret sealed, together with what it belongs to. */
export const storedServerSchema = z.object({
  id: z.string().min(1),
  name: mcpServerNameSchema,
  type: mcpServerTransportSchema,
  enabled: z.boolean(),
  config: z.object({
    command: z.string().optional(),
    args: z.array(z.string()).optional(),
    cwd: z.string().optional(),
    url: z.string().optional(),
  }),
  env: sealedValues,
  headers: sealedValues,
  limits: mcpServerLimitsSchema.optional(),
  protocol: mcpProtocolSchema.optional(),
  builtin: z.string().optional(),
  builtinOptions: builtinOptionsSchema.optional(),
  consent: z.string().optional(),
  /** Names of the tools that are switched off, listed now or not. */
  toolsOff: z.array(z.string()).optional(),
  /** What ran when the server turned out not to know the newer protocol revision and to lose time or its life over it. */
  legacyFor: z.string().optional(),
});
export type StoredServer = z.infer<typeof storedServerSchema>;

/** What to speak with a server. Without a choice it is asked, unless the same program or address is known not to bear that. */
export function eraOf(server: StoredServer): Era {
  const { protocol = 'auto' } = server;
  return protocol === 'auto' && server.legacyFor === whatRuns(server) ? 'legacy' : protocol;
}

/** What would be started or asked; two that are equal speak the same. */
export const whatRuns = ({ type, config, builtin }: StoredServer): string =>
  JSON.stringify([type, builtin, config.command, config.args, config.cwd, config.url]);

const consentOf = (server: StoredServer): string => consentFor(server.config, Object.keys(server.env));

/** The server as nobody has agreed to it. */
export function withoutConsent({ consent: _consent, ...server }: StoredServer): StoredServer {
  return server;
}

/** The server as somebody agreed to exactly it. */
export const consented = (server: StoredServer): StoredServer => ({ ...server, consent: consentOf(server) });

export const noConsent = (name: string) =>
  new AppError('no-consent', `“${name}” starts a program on this computer, and nobody has agreed to that yet.`, {
    hint: 'Look at its command, and agree if you trust it.',
  });

/** Whether a server may be started: a program needs a consent for exactly what would run. */
export const isConsented = (server: StoredServer): boolean =>
  server.type !== 'stdio' || server.builtin !== undefined || server.consent === consentOf(server);

/** A server as the renderer may see it. */
export function viewOf(server: StoredServer): McpServerView {
  const { id, name, type, enabled, builtin, builtinOptions, limits, protocol, config } = server;
  return {
    id,
    name,
    type,
    enabled,
    builtin,
    builtinOptions,
    limits,
    protocol,
    config: { ...config, envNames: Object.keys(server.env), headerNames: Object.keys(server.headers) },
    consented: isConsented(server),
  };
}
