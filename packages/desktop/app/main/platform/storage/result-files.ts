import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = /^[\da-f-]{36}\.txt$/;
const DAY_MS = 86_400_000;

export interface ResultFilesOptions {
  folder: string;
  logger: { warn(message: string, data?: Record<string, unknown>): void };
  clock?: { now(): number };
  /** What all files may hold together. Default 256 MiB. */
  maxBytes?: number;
  /** Age in milliseconds from which a file is removed. Default 30 days. */
  maxAgeMs?: number;
}

/**
 * Large results as text files in one folder, for the person to open. The oldest go when there are too many bytes of them or
 * they are too old, at the start and whenever one is added. Nothing here throws: a full disk must not lose a call.
 */
export class ResultFiles {
  readonly #options: Required<ResultFilesOptions>;

  constructor(options: ResultFilesOptions) {
    this.#options = { clock: Date, maxBytes: 256 * 1024 * 1024, maxAgeMs: 30 * DAY_MS, ...options };
    this.#try('Old results could not be removed', () => this.#removeOld());
  }

  keep(text: string): string | undefined {
    const id = randomUUID();
    return this.#try('A whole result could not be kept', () => {
      const { folder } = this.#options;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(this.#file(id), text, { mode: 0o600 });
      this.#removeOld(id);
      return id;
    });
  }

  find(id: string): string | undefined {
    return FILE.test(`${id}.txt`) && existsSync(this.#file(id)) ? this.#file(id) : undefined;
  }

  remove(id: string): void {
    const file = this.find(id);
    if (file !== undefined) this.#try('A whole result could not be removed', () => rmSync(file, { force: true }));
  }

  #file(id: string): string {
    return join(this.#options.folder, `${id}.txt`);
  }

  /** The newest stays, however large. */
  #removeOld(newest?: string): void {
    const { folder, clock, maxAgeMs, maxBytes } = this.#options;
    if (!existsSync(folder)) return;
    const files = readdirSync(folder)
      .filter((name) => FILE.test(name))
      .map((name) => ({
        file: join(folder, name),
        isNewest: name === `${newest}.txt`,
        ...sizeAndTime(join(folder, name)),
      }))
      .sort((a, b) => Number(b.isNewest) - Number(a.isNewest) || b.time - a.time);
    let total = 0;
    for (const { file, isNewest, bytes, time } of files) {
      total += bytes;
      if (!isNewest && (total > maxBytes || clock.now() - time > maxAgeMs)) rmSync(file, { force: true });
    }
  }

  #try<T>(failure: string, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#options.logger.warn(failure, { error: String(error) });
      return undefined;
    }
  }
}

function sizeAndTime(file: string): { bytes: number; time: number } {
  const { size, mtimeMs } = statSync(file);
  return { bytes: size, time: mtimeMs };
}
