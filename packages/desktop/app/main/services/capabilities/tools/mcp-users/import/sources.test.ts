import { describe, expect, it } from 'vitest';
import { personalFiles, projectFiles } from './sources.ts';

const pathsOf = (program: string, machine: Parameters<typeof personalFiles>[0]) =>
  personalFiles(machine)
    .filter((file) => file.program === program)
    .map(({ path }) => path);

describe('where other programs keep their servers', () => {
  it('on Linux', () => {
    const machine = { platform: 'linux', home: '/home/ada', env: {} } as const;
    expect(pathsOf('Claude Desktop', machine)).toEqual(['/home/ada/.config/Claude/claude_desktop_config.json']);
    expect(pathsOf('VS Code', machine)).toContain('/home/ada/.config/Code/User/mcp.json');
    expect(pathsOf('Claude Code', machine)).toEqual(['/home/ada/.claude.json']);
    expect(pathsOf('Cursor', machine)).toEqual(['/home/ada/.cursor/mcp.json']);
    expect(pathsOf('Windsurf', machine)).toContain('/home/ada/.codeium/windsurf/mcp_config.json');
    expect(pathsOf('Gemini CLI', machine)).toEqual(['/home/ada/.gemini/settings.json']);
    expect(pathsOf('LM Studio', machine)).toContain('/home/ada/.lmstudio/mcp.json');
  });

  it('follows the variables that move them', () => {
    const env = { XDG_CONFIG_HOME: '/cfg', CLAUDE_CONFIG_DIR: '/claude' };
    const machine = { platform: 'linux', home: '/home/ada', env } as const;
    expect(pathsOf('Claude Desktop', machine)).toEqual(['/cfg/Claude/claude_desktop_config.json']);
    expect(pathsOf('Claude Code', machine)).toEqual(['/claude/.claude.json']);
  });

  it('on macOS', () => {
    const machine = { platform: 'darwin', home: '/Users/ada', env: { XDG_CONFIG_HOME: '/cfg' } } as const;
    expect(pathsOf('Claude Desktop', machine)).toEqual([
      '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    ]);
    expect(pathsOf('VS Code', machine)).toContain('/Users/ada/Library/Application Support/Code/User/settings.json');
  });

  it('on Windows, the packaged Claude Desktop too', () => {
    const home = String.raw`C:\Users\ada`;
    const env = { APPDATA: String.raw`D:\Roaming` };
    const machine = { platform: 'win32', home, env } as const;
    expect(pathsOf('Claude Desktop', machine)).toEqual([
      String.raw`D:\Roaming\Claude\claude_desktop_config.json`,
      String.raw`C:\Users\ada\AppData\Local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude\claude_desktop_config.json`,
    ]);
    expect(pathsOf('VS Code', { ...machine, env: {} })).toContain(
      String.raw`C:\Users\ada\AppData\Roaming\Code\User\mcp.json`,
    );
    expect(projectFiles(machine, String.raw`C:\src\x`).map(({ path }) => path)).toContain(
      String.raw`C:\src\x\.vscode\mcp.json`,
    );
  });
});
