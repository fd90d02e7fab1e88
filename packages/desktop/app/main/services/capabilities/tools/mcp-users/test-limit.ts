import type { McpServerConfig } from '@shared/contracts/mcp-types.ts';
import { AppError } from '../../../ports/errors.ts';
import { AttemptLimit } from './retry-policy.ts';

type Target = Pick<McpServerConfig, 'url' | 'command' | 'args'>;

/** Tests of connections stay within the number of attempts a minute too, by the program or address that they are for. */
export class TestLimit {
  readonly #perMinute: number;
  readonly #attempts = new Map<string, AttemptLimit>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** The attempts of tests of what is started like this, where there were any. */
  of(config: Target): AttemptLimit | undefined {
    return this.#attempts.get(targetOf(config));
  }

  /**
   * Begins a test, which is an attempt.
   * @param name what the server is called
   * @param ofServer the attempts of the stored server that is tested, where it is as it is stored
   * @throws AppError `connect-failed` that says when there may be another
   */
  begin(name: string, config: Target, ofServer: AttemptLimit | undefined): TestedAttempts {
    const now = performance.now();
    for (const [target, limit] of this.#attempts) if (limit.isUnused(now)) this.#attempts.delete(target);
    const target = targetOf(config);
    const own = this.#attempts.get(target) ?? new AttemptLimit(this.#perMinute);
    this.#attempts.set(target, own);
    const attempts = new TestedAttempts(name, this.#perMinute, ofServer ? [own, ofServer] : [own]);
    if (!attempts.another()) throw attempts.tooMany();
    return attempts;
  }
}

/** The attempts of one test: a server may have to be started or asked a second time. */
export class TestedAttempts {
  readonly #name: string;
  readonly #perMinute: number;
  readonly #limits: AttemptLimit[];
  #missesTurn = false;

  constructor(name: string, perMinute: number, limits: AttemptLimit[]) {
    this.#name = name;
    this.#perMinute = perMinute;
    this.#limits = limits;
  }

  /** Counts one more, if there may be one. */
  another(): boolean {
    const now = performance.now();
    this.#missesTurn = this.#limits.some((limit) => limit.untilAllowed(now) > 0);
    if (!this.#missesTurn) for (const limit of this.#limits) limit.attempted(now);
    return !this.#missesTurn;
  }

  /** What went wrong may be no more than that there was no other attempt. */
  get missesTurn(): boolean {
    return this.#missesTurn;
  }

  tooMany(): AppError {
    const now = performance.now();
    const seconds = Math.ceil(Math.max(...this.#limits.map((limit) => limit.untilAllowed(now, 2))) / 1000);
    const message = `The server “${this.#name}” was started ${this.#perMinute} times within a minute.`;
    return new AppError('connect-failed', message, { hint: `Test it again in ${seconds} s.` });
  }
}

/** What a server is started with, or where it is. */
export const targetOf = ({ url, command, args = [] }: Target): string =>
  JSON.stringify(url === undefined ? [command, ...args] : [url]);
