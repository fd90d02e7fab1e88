import { describe, expect, it } from 'vitest';
import { systemShell } from './system-shell.ts';

describe('systemShell', () => {
  it('is bash or sh, with both outputs in one pipe', () => {
    const { candidates, args } = systemShell('linux');
    expect(candidates).toEqual(['bash', 'sh']);
    expect(args('ls "$HOME"')).toEqual([
      '-c',
      `ulimit -q "$\{TINYELF_PROCESS_MARK#*-}" 2>/dev/null; exec 2>&1; ls "$HOME"`,
    ]);
    expect(systemShell('darwin')).toBe(systemShell('linux'));
  });

  it('is PowerShell on Windows, which gets the command in base64', () => {
    const { candidates, args } = systemShell('win32');
    expect(candidates).toEqual(['pwsh', 'powershell']);
    const given = args('echo "a" & dir');
    expect(given.slice(0, -1)).toEqual(['-NoLogo', '-NoProfile', '-NonInteractive', '-EncodedCommand']);
    const script = Buffer.from(given.at(-1)!, 'base64').toString('utf16le');
    expect(script.split('\n')).toEqual([
      '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
      'echo "a" & dir',
      'if (-not $?) { if ($LASTEXITCODE) { exit $LASTEXITCODE } else { exit 1 } }',
    ]);
  });
});
