import { AppError } from '../../../ports/errors.ts';
import type { SecretBox } from '../../../ports/infrastructure.ts';
import { type ServerInput, secretBinding } from './server-config.ts';
import type { StoredServer } from './stored-server.ts';

/** The values of variables and headers, each sealed together with what it was given for, so that it serves nothing else. */
export class SealedValues {
  readonly #secrets: SecretBox;

  constructor(secrets: SecretBox) {
    this.#secrets = secrets;
  }

  /**
   * Seals the given values; a null keeps the stored one.
   * @throws AppError `invalid-config` when there is none, or it belongs to something else
   */
  async keepOrSeal(input: ServerInput, kind: 'env' | 'headers', old: StoredServer | undefined) {
    const binding = secretBinding(input.type, input.config);
    const sealed: Record<string, string> = {};
    for (const [key, value] of Object.entries(input.config[kind] ?? {})) {
      const stored = old?.[kind][key];
      if (value !== null) sealed[key] = await this.#secrets.seal(JSON.stringify({ for: binding, value }));
      else if (old && stored !== undefined && secretBinding(old.type, old.config) === binding) sealed[key] = stored;
      else {
        throw new AppError('invalid-config', `The value of “${key}” has to be entered again.`, {
          hint: 'Stored secrets belong to the command or the address that they were given for.',
        });
      }
    }
    return sealed;
  }

  /** The secrets of a stored server in plain. @throws AppError `secret-unreadable` */
  async openOf(server: StoredServer) {
    if (server.builtin) return {};
    const [env, headers] = await Promise.all([
      this.open(server.env, server, 'env'),
      this.open(server.headers, server, 'headers'),
    ]);
    return { env, headers };
  }

  /** Sealed values in plain. @throws AppError `secret-unreadable` when one was given for something else than the server */
  async open(sealed: Record<string, string>, server: Pick<ServerInput, 'name' | 'type' | 'config'>, kind: string) {
    const binding = secretBinding(server.type, server.config);
    const entries = Object.entries(sealed).map(async ([key, value]) => {
      const secret = readSecret(await this.#secrets.open(value));
      // Somebody changed the file by hand: a secret must not be sent elsewhere than it was given for.
      if (secret?.for !== binding) {
        const what = kind === 'env' ? 'variable' : 'header';
        throw new AppError(
          'secret-unreadable',
          `The value of the ${what} “${key}” of “${server.name}” can’t be used.`,
          {
            hint: 'Enter it again in the settings of the server.',
          },
        );
      }
      return [key, secret.value] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }
}

function readSecret(plain: string): { for: string; value: string } | undefined {
  try {
    const secret = JSON.parse(plain);
    return typeof secret?.for === 'string' && typeof secret.value === 'string' ? secret : undefined;
  } catch {
    return undefined;
  }
}
