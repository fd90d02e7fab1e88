import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkFolder, checkInterpreter, resolveCommand } from './resolve-command.ts';

function folder() {
  const made = mkdtempSync(path.join(os.tmpdir(), 'tinyelf-command-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  const program = (name: string, mode = 0o755) => {
    const file = path.join(made, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '');
    chmodSync(file, mode);
    return file;
  };
  return { made, program };
}

describe('resolveCommand', () => {
  it('looks through PATH, and passes by what is no program', () => {
    const first = folder();
    const second = folder();
    mkdirSync(path.join(first.made, 'tool'));
    const file = second.program('tool');
    expect(resolveCommand('tool', { PATH: `${first.made}::${second.made}` }, '/')).toBe(file);
  });

  it('takes a path relative to the working folder', () => {
    const { made, program } = folder();
    const file = program('my tools/run me');
    expect(resolveCommand('./my tools/run me', { PATH: '' }, made)).toBe(file);
    expect(resolveCommand(file, {}, '/')).toBe(file);
  });

  it('takes a relative folder of PATH from the working folder', () => {
    const { made, program } = folder();
    const file = program('node_modules/.bin/tool');
    expect(resolveCommand('tool', { PATH: 'node_modules/.bin:/usr/bin' }, made)).toBe(file);
  });

  it('names the PATH that was searched', () => {
    expect(() => resolveCommand('no-such', { PATH: '/usr/bin:/bin' }, '/')).toThrow(
      expect.objectContaining({ code: 'command-missing', details: 'Searched PATH: /usr/bin:/bin' }),
    );
    expect(() => resolveCommand('/no/such', {}, '/')).toThrow(expect.objectContaining({ code: 'command-missing' }));
  });

  it('says when a file is there but may not be run', () => {
    const { made, program } = folder();
    const details = program('tool', 0o644);
    expect(() => resolveCommand('tool', { PATH: made }, '/')).toThrow(
      expect.objectContaining({ code: 'not-executable', details }),
    );
  });
});

describe('checkInterpreter', () => {
  it('names the program that a script needs and that is not there', () => {
    const { program } = folder();
    const script = (text: string) => {
      const file = program('script');
      writeFileSync(file, text);
      return file;
    };
    expect(() => checkInterpreter('script', script('#! /no/such/python -u\nprint()\n'))).toThrow(
      expect.objectContaining({ code: 'command-missing', message: expect.stringContaining('“/no/such/python”') }),
    );
    for (const text of ['#!/bin/sh\n', 'no script', '', '#!', '\0\0']) checkInterpreter('script', script(text));
  });

  it('tells line ends of Windows, which are part of the name', () => {
    const file = folder().program('script');
    writeFileSync(file, '#!/bin/sh\r\necho\r\n');
    expect(() => checkInterpreter('script', file)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('“/bin/sh\\r”'),
        details: expect.stringContaining('line ends of Unix'),
      }),
    );
  });

  it('says nothing of what can’t be read, whose own error is told then', () => {
    expect(() => checkInterpreter('script', folder().made)).not.toThrow();
  });
});

describe('checkFolder', () => {
  it('names the folder', () => {
    const { made, program } = folder();
    expect(() => checkFolder(made)).not.toThrow();
    expect(() => checkFolder(path.join(made, 'gone'))).toThrow(/gone.*does not exist/);
    expect(() => checkFolder(program('file'))).toThrow(/is not a folder/);
  });
});
