import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import electronLog from 'electron-log/node';
import type { Logger } from '../../services/ports/infrastructure.ts';
import type { Redactor } from './redactor.ts';

export interface FileLoggerOptions {
  /** Folder of the log files; made when missing. */
  folder: string;
  redactor: Redactor;
  /** Least level that is written. Default `info`. */
  level?: 'debug' | 'info' | 'warn' | 'error';
  /** Writes to the console too; for development. Default false. */
  toConsole?: boolean;
  /** Size in bytes at which a file is full. Default 2 MiB. */
  maxBytes?: number;
  /** How many full files are kept besides the current one. Default 4. */
  keep?: number;
}

/**
 * The log of the app: `main.log`, and `main.1.log` (newest) up to `main.<keep>.log` once it was full. One line per entry,
 * redacted. A disk that refuses never throws here.
 */
export function createFileLogger(options: FileLoggerOptions): Logger {
  const { folder, redactor, level = 'info', toConsole = false, maxBytes = 2 * 1024 * 1024, keep = 4 } = options;
  const log = electronLog.create({ logId: folder });
  const nameOf = (n: number) => join(folder, n === 0 ? 'main.log' : `main.${n}.log`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // Every line fails then; electron-log says so on the console.
  }
  log.transports.console.level = toConsole ? level : false;
  const { file } = log.transports;
  file.level = level;
  file.maxSize = maxBytes;
  file.writeOptions = { flag: 'a', mode: 0o600, encoding: 'utf8' };
  file.format = '{y}-{m}-{d} {h}:{i}:{s}.{ms} {level} {text}';
  file.resolvePathFn = () => nameOf(0);
  file.archiveLogFn = () => {
    try {
      rmSync(nameOf(keep), { force: true });
      for (let n = keep - 1; n >= 0; n--) if (existsSync(nameOf(n))) renameSync(nameOf(n), nameOf(n + 1));
    } catch {
      // The file grows on until it can be renamed.
    }
  };

  const write = (method: 'debug' | 'info' | 'warn' | 'error') => (message: string, data?: Record<string, unknown>) => {
    try {
      log[method](toLine(redactor, message, data));
    } catch {
      // Nothing that is logged may break what logs it.
    }
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

function toLine(redactor: Redactor, message: string, data?: Record<string, unknown>): string {
  const text = data ? `${message} ${JSON.stringify(redactor.data(data))}` : message;
  // Text from a server must not look like an entry of its own, nor colour the console.
  return redactor.text(text).replace(/[\p{Cc}\u2028\u2029]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
