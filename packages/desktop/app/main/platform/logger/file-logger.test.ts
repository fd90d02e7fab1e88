import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileLogger } from './file-logger.ts';
import { createRedactor } from './redactor.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'logs-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const everything = () =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');

describe('createFileLogger', () => {
  it('writes redacted lines of the wanted levels', () => {
    const redactor = createRedactor();
    const logger = createFileLogger({ folder: join(folder, 'deep'), redactor, level: 'info' });
    redactor.add('hunter22');
    logger.debug('not wanted');
    logger.info('started %s with hunter22', { url: 'https://a:b@h.example', n: 1 });
    logger.error('failed', { error: new Error('key sk-test-0000') });
    const text = readFileSync(join(folder, 'deep', 'main.log'), 'utf8');
    expect(text.trimEnd().split('\n')).toHaveLength(2);
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} info started %s with \[redacted\] \{"url"/);
    expect(text).not.toMatch(/hunter22|sk-test-0000|a:b@|not wanted/);
  });

  it('keeps an entry on one line, whatever is in it', () => {
    const logger = createFileLogger({ folder, redactor: createRedactor() });
    logger.info('one\n2026-01-01 00:00:00.000 error forged\r\u001b[31m\u2028\0');
    expect(readFileSync(join(folder, 'main.log'), 'utf8').trimEnd()).not.toMatch(/[\p{Cc}\u2028]/u);
  });

  it('rotates and keeps only so many files', () => {
    const logger = createFileLogger({ folder, redactor: createRedactor(), maxBytes: 2_000, keep: 2 });
    for (let n = 0; n < 200; n++) logger.info(`entry ${n}. ${'word '.repeat(10)}`);
    expect(readdirSync(folder).sort()).toEqual(['main.1.log', 'main.2.log', 'main.log']);
    expect(everything()).toContain('entry 199.');
    expect(everything()).not.toContain('entry 0.');
    expect(everything().length).toBeLessThan(10_000);
  });

  it('never throws', () => {
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    const logger = createFileLogger({ folder: join(blocked, 'logs'), redactor: createRedactor() });
    const hostile = {
      get boom(): never {
        throw new Error('getter');
      },
    };
    logger.error('x', hostile);
    createFileLogger({ folder, redactor: createRedactor() }).error('x', hostile);
  });
});
