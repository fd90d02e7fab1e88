import { describe, expect, it } from 'vitest';
import { argsToLines, linesToArgs, splitArguments, splitCommand, splitCommandLine } from './argument-lines.ts';

describe('linesToArgs', () => {
  it('takes one argument per line, with its spaces and quotes as they are', () => {
    expect(linesToArgs('-y\n--dir\nC:\\Users\\Ann Lee\\My Data\na&b\n100%\nsay "hi"')).toEqual([
      '-y',
      '--dir',
      'C:\\Users\\Ann Lee\\My Data',
      'a&b',
      '100%',
      'say "hi"',
    ]);
  });

  it('leaves out empty lines and space around a line, whatever the line ends', () => {
    expect(linesToArgs('  -y\r\n\r\n\tfoo  \r bar')).toEqual(['-y', 'foo', 'bar']);
  });

  it('reads a whole line in quotes as one argument, and leaves what only looks like one', () => {
    expect(linesToArgs('""\n"a\\nb"\n" x "\n"C:\\Users"\n"a" "b"\n"')).toEqual([
      '',
      'a\nb',
      ' x ',
      '"C:\\Users"',
      '"a" "b"',
      '"',
    ]);
  });
});

describe('argsToLines', () => {
  it.each([
    [[]],
    [['']],
    [['a', '', 'b']],
    [[' x', 'y ', '\t']],
    [['line\nbreak', 'cr\rhere', 'both\r\n']],
    [['"quoted"', '"', '""', '"a\\nb"', "'single'"]],
    [['C:\\path\\', '\\n', '\u202e', '\u00a0x\u00a0', '\u2028', '天気']],
  ])('loses nothing of %j', (args) => {
    expect(linesToArgs(argsToLines(args))).toEqual(args);
  });

  it('shows plain arguments plainly', () => {
    expect(argsToLines(['-y', 'a b', 'say "hi"'])).toBe('-y\na b\nsay "hi"');
  });
});

describe('splitCommandLine', () => {
  it.each([
    ['npx -y foo', ['npx', '-y', 'foo']],
    ['  a   b ', ['a', 'b']],
    ['a "b c" \'d e\'', ['a', 'b c', 'd e']],
    ['--x="b c"', ['--x=b c']],
    ['a "" \'\'', ['a', '', '']],
    ['a "say \\"hi\\""', ['a', 'say "hi"']],
    ["a '\\n'", ['a', '\\n']],
    ['a\\ b', ['a b']],
    ['C:\\bin\\x.exe /q', ['C:\\bin\\x.exe', '/q']],
    ['', []],
  ])('splits %j', (text, words) => {
    expect(splitCommandLine(text)).toEqual(words);
  });

  it('does not guess where a quote is open', () => {
    expect(splitCommandLine('a "b c')).toBeNull();
    expect(splitCommandLine("it's")).toBeNull();
  });
});

describe('splitCommand', () => {
  it('offers to split a command line', () => {
    expect(splitCommand('npx -y "a b"')).toEqual({ command: 'npx', args: ['-y', 'a b'] });
    expect(splitCommand('"/opt/My App/run" --x')).toEqual({ command: '/opt/My App/run', args: ['--x'] });
  });

  it.each(['npx', '', 'C:\\Program Files\\node.exe', '/opt/My App/server', '"C:\\a b.exe"', 'a "b'])(
    'leaves %j alone',
    (command) => {
      expect(splitCommand(command)).toBeNull();
    },
  );
});

describe('splitArguments', () => {
  it('offers to split the one line that holds them all', () => {
    expect(splitArguments('-y foo "a b"')).toEqual(['-y', 'foo', 'a b']);
  });

  it.each(['', '-y', '-y\nfoo bar', '"a b"'])('leaves %j alone', (lines) => {
    expect(splitArguments(lines)).toBeNull();
  });
});
