import { describe, expect, it } from 'vitest';
import { judgePath, type Surroundings } from './path-rules.ts';
import { spell } from './path-spelling.ts';

const windows: Surroundings = {
  root: 'C:\\Users\\me\\work',
  home: 'C:\\Users\\me',
  appFolders: ['C:\\Users\\me\\AppData\\Roaming\\TinyElf'],
  platform: 'win32',
};
const mac: Surroundings = {
  root: '/Users/me/work',
  home: '/Users/me',
  appFolders: ['/Users/me/Library/Application Support/TinyElf'],
  platform: 'darwin',
};

const decided = (verdict: ReturnType<typeof judgePath>) => verdict.deniedBy ?? verdict.decision;

describe('on Windows', () => {
  it.each([
    ['C:\\Users\\me\\work\\a.ts', true, 'allow', 'allow'],
    ['c:\\users\\ME\\work\\.GIT\\hooks\\x', true, 'allow', 'ask'],
    ['D:\\data\\a.ts', false, 'ask', 'outside-workspace'],
    ['C:\\Windows\\System32\\config\\SAM', false, 'system', 'system'],
    ['c:\\WINDOWS', false, 'system', 'system'],
    ['C:\\Program Files\\x\\y', false, 'ask', 'system'],
    ['C:\\Users\\you\\x', false, 'other-home', 'other-home'],
    ['C:\\Users\\Public\\x', false, 'ask', 'outside-workspace'],
    ['C:\\Users\\me\\.ssh\\id_rsa', false, 'credentials', 'credentials'],
    ['C:\\Users\\me\\AppData\\Local\\Google\\Chrome\\User Data\\x', false, 'credentials', 'credentials'],
    ['C:\\Users\\me\\AppData\\Roaming\\Microsoft\\Protect\\x', false, 'credentials', 'credentials'],
    ['C:\\Users\\me\\appdata\\roaming\\tinyelf\\x', false, 'app-data', 'app-data'],
  ])('%s', (absolute, inside, read, write) => {
    expect(decided(judgePath(absolute, inside, 'read', windows))).toBe(read);
    expect(decided(judgePath(absolute, inside, 'write', windows))).toBe(write);
  });

  it.each([
    '\\\\server\\share\\x',
    '//server/share/x',
    '\\\\?\\C:\\Windows',
    '\\\\.\\PhysicalDrive0',
    'file://server/share/x',
    'C:x',
    'a.txt:stream',
    'a.txt::$DATA',
    'C:\\work\\a.txt:zone',
    'CON',
    'src\\nul.txt',
    'aux .txt',
    'COM1',
    'lpt¹',
    'conin$',
    '...\\x',
    'a\0b',
    'nul%2etxt',
  ])('%j is no path', (given) => {
    expect(spell(given, windows)).toMatchObject({ decision: 'deny', deniedBy: 'invalid-path' });
  });

  it('asks about short names, and knows what Windows makes of names', () => {
    expect(spell('PROGRA~1\\x', windows)).toMatchObject({ decision: 'ask' });
    expect(spell('.ssh. \\x', windows)).toContain('.ssh\\x');
    expect(spell('file:///C:/work/a%20b', windows)).toContain('C:/work/a b');
    expect(spell('src\\console.ts', windows)).toEqual(['src\\console.ts']);
  });
});

describe('on macOS', () => {
  it.each([
    ['/Users/me/work/a.ts', true, 'allow', 'allow'],
    ['/users/me/Work/.Git/config', true, 'allow', 'ask'],
    ['/private/etc/master.passwd', false, 'system', 'system'],
    ['/System/Library/x', false, 'ask', 'system'],
    ['/Users/you/x', false, 'other-home', 'other-home'],
    ['/USERS/you/x', false, 'other-home', 'other-home'],
    ['/Users/Shared/x', false, 'ask', 'outside-workspace'],
    ['/Users/ME/.ssh/x', false, 'credentials', 'credentials'],
    ['/Users/me/Library/Cookies/x', false, 'credentials', 'credentials'],
    ['/Users/me/Library/Application Support/Google/Chrome/x', false, 'credentials', 'credentials'],
    ['/Users/me/library/application support/tinyelf/x', false, 'app-data', 'app-data'],
  ])('%s', (absolute, inside, read, write) => {
    expect(decided(judgePath(absolute, inside, 'read', mac))).toBe(read);
    expect(decided(judgePath(absolute, inside, 'write', mac))).toBe(write);
  });
});

describe('a workspace that was chosen in a guarded folder', () => {
  it('may be worked in, and nothing beside it', () => {
    const surroundings: Surroundings = {
      root: '/home/you/shared',
      home: '/home/me',
      appFolders: ['/data'],
      platform: 'linux',
    };
    expect(decided(judgePath('/home/you/shared/a', true, 'write', surroundings))).toBe('allow');
    expect(decided(judgePath('/home/you/diary', false, 'read', surroundings))).toBe('other-home');
    const sample = { ...surroundings, root: '/data/sample-files' };
    expect(decided(judgePath('/data/sample-files/a', true, 'write', sample))).toBe('allow');
    expect(decided(judgePath('/data/settings.json', false, 'read', sample))).toBe('app-data');
    const whole = { ...surroundings, root: '/data' };
    expect(decided(judgePath('/data/settings.json', true, 'read', whole))).toBe('app-data');
    const disk = { ...surroundings, root: '/' };
    expect(decided(judgePath('/etc/passwd', true, 'read', disk))).toBe('system');
  });
});
