import { describe, expect, it } from 'vitest';
import { taskkillArguments, windowsCandidates, windowsStart } from './windows.ts';

// None of this has been run on Windows: it is the construction of arguments that is checked here.

/** What cmd.exe makes of an escaped text: one level of carets is taken away. */
const unescapeOnce = (text: string) => text.replace(/\^(.)/g, '$1');

/** How a program built with the Microsoft C runtime reads its command line. */
function readArguments(line: string): string[] {
  const found: string[] = [];
  let current = '';
  let quoted = false;
  let started = false;
  for (let i = 0; i < line.length; i++) {
    let backslashes = 0;
    while (line[i] === '\\') {
      backslashes++;
      i++;
    }
    if (line[i] === '"') {
      current += '\\'.repeat(backslashes >> 1);
      if (backslashes % 2) current += '"';
      else quoted = !quoted;
      started = true;
    } else {
      current += '\\'.repeat(backslashes);
      if (i >= line.length) break;
      if (line[i] === ' ' && !quoted) {
        if (started) found.push(current);
        current = '';
        started = false;
      } else {
        current += line[i];
        started = true;
      }
    }
  }
  if (started) found.push(current);
  return found;
}

const TRICKY = [
  '-y',
  'demo-server',
  '--dir',
  'C:\\Users\\Ann Lee\\My Data',
  'a&b',
  '100%',
  '%PATH%',
  'say "hi"',
  'end\\',
  '\\"',
  '',
  '^',
  '(x)!',
];

describe('windowsStart (the arguments only: it is not run on Windows here)', () => {
  it('starts programs as they are', () => {
    const file = 'C:\\Program Files\\node\\node.exe';
    expect(windowsStart(file, TRICKY)).toEqual({ file, args: TRICKY, verbatim: false });
  });

  it.each(['C:\\Program Files\\nodejs\\npx.cmd', 'D:\\x.BAT'])(
    'starts %s through cmd.exe with every argument intact',
    (file) => {
      const start = windowsStart(file, TRICKY, 'C:\\Windows\\cmd.exe');
      expect(start).toMatchObject({ file: 'C:\\Windows\\cmd.exe', verbatim: true });
      expect(start.args.slice(0, 3)).toEqual(['/d', '/s', '/c']);
      const line = start.args[3]!.slice(1, -1);
      // Nothing that cmd.exe would act on is left without a caret.
      expect(line.replace(/\^./g, '')).not.toMatch(/[&|<>()%!"]/);
      const asBatchFileSeesIt = unescapeOnce(line);
      expect(asBatchFileSeesIt.startsWith(file)).toBe(true);
      // A batch file hands its arguments on by `%*`, which reads them a second time.
      expect(readArguments(unescapeOnce(asBatchFileSeesIt.slice(file.length)))).toEqual(TRICKY);
    },
  );
});

describe('windowsCandidates (not run on Windows here)', () => {
  it('tries the extensions of PATHEXT, and not the bare name', () => {
    expect(windowsCandidates('npx', '.EXE;.CMD')).toEqual(['npx.EXE', 'npx.CMD']);
    expect(windowsCandidates('npx.cmd', '.EXE;.CMD')).toEqual(['npx.cmd']);
    expect(windowsCandidates('tool.js', '.EXE')).toEqual(['tool.js.EXE']);
  });
});

describe('taskkillArguments (not run on Windows here)', () => {
  it('ends the tree by force', () => {
    expect(taskkillArguments(42)).toEqual(['/PID', '42', '/T', '/F']);
  });
});
