/** What nobody reads for a task in a workspace. */
const UNREADABLE = [
  '/etc',
  '/proc',
  '/sys',
  '/boot',
  '/dev',
  '/run',
  '/lost+found',
  '/var/backups',
  '/var/db',
  '/var/lib',
  '/var/log',
  '/var/mail',
  '/var/root',
  '/var/run',
  '/var/spool',
  '/private/etc',
  '/private/var/db',
  '/private/var/log',
  '/private/var/root',
  '/private/var/run',
  '/library/keychains',
  '/system/volumes/preboot',
];

/** What belongs to the system, though anybody may look at it. */
const UNWRITABLE = [
  ...UNREADABLE,
  '/bin',
  '/lib',
  '/lib32',
  '/lib64',
  '/opt',
  '/sbin',
  '/srv',
  '/usr',
  '/var/cache',
  '/var/www',
  '/applications',
  '/library',
  '/system',
];

/** Documentation, headers and facts about the machine that are no secret and no way to anything else. */
const HARMLESS_TO_READ = [
  '/usr/include',
  '/usr/local/include',
  '/usr/share/common-licenses',
  '/usr/share/dict',
  '/usr/share/doc',
  '/usr/share/info',
  '/usr/share/licenses',
  '/usr/share/man',
  '/usr/share/zoneinfo',
  '/usr/lib/os-release',
  '/etc/os-release',
  '/etc/lsb-release',
  '/etc/debian_version',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/loadavg',
  '/proc/uptime',
  '/proc/version',
];

const WINDOWS_UNREADABLE = ['windows', 'system volume information', '$recycle.bin', 'recovery', 'boot', 'perflogs'];
const WINDOWS_UNWRITABLE = [...WINDOWS_UNREADABLE, 'program files', 'program files (x86)', 'programdata'];

/** Devices that are no more than a source or a sink. */
const DEVICE = /^\/dev\/(null|zero|full|random|urandom|tty)$/;
/** What a program was started with. */
const OWN_STREAM = /^\/dev\/(stdin|stdout|stderr|fd\/\d{1,3})$/;

/** Whether this is one of the devices that anything may read from and write to. Takes the path as it was written. */
export const isHarmlessDevice = (path: string): boolean => DEVICE.test(path);

/** Harmless in a command, which has three of them. For a tool of the app they are whatever the app has open. */
export const isOwnStream = (path: string): boolean => OWN_STREAM.test(path);

/** Whether reading this is free although it lies outside the workspace. Takes a folded absolute path. */
export const isHarmlessToRead = (folded: string): boolean =>
  HARMLESS_TO_READ.some((place) => folded === place || folded.startsWith(`${place}/`));

/** The system's folder that a folded absolute path lies in and that may not be used so. */
export function systemFolderOf(folded: string, use: 'read' | 'write', platform: NodeJS.Platform): string | undefined {
  if (platform === 'win32') {
    const [, drive, name] = /^([a-z]:)\\([^\\]+)/.exec(folded) ?? [];
    const names = use === 'read' ? WINDOWS_UNREADABLE : WINDOWS_UNWRITABLE;
    return name !== undefined && names.includes(name) ? `${drive}\\${name}` : undefined;
  }
  const places = use === 'read' ? UNREADABLE : UNWRITABLE;
  return places.find((place) => folded === place || folded.startsWith(`${place}/`));
}
