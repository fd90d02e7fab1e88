/**
 * Splits a command line as Electron does.
 *
 * @param {string[]} args everything after the executable
 * @returns {{ switches: Map<string, string>, requires: string[], app: string | null, version: boolean,
 *   inspect: { port: number, host: string | undefined, wait: boolean } | null }}
 *   `switches` in lower case without dashes; `requires` are the modules of `-r`; `app` is the path given
 */
export function parseCommandLine(args) {
  const switches = new Map();
  const requires = [];
  let app = null;
  let version = false;
  let inspect = null;
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '-r' || arg === '--require') {
      requires.push(args[++i]);
      continue;
    }
    if (arg === '-v' || arg === '--version') version = true;
    const match = /^--([^=]+)(?:=(.*))?$/s.exec(arg);
    if (match) {
      const [, name, value = ''] = match;
      if (name === 'inspect' || name === 'inspect-brk') inspect = parseInspect(value, name === 'inspect-brk');
      else switches.set(name.toLowerCase(), value);
    } else if (!arg.startsWith('-') && app === null) {
      app = arg;
    }
  }
  return { switches, requires, app, version, inspect };
}

/**
 * @param {string} value `[host:]port`, empty for the default
 * @param {boolean} wait
 */
function parseInspect(value, wait) {
  const [, host, port] = /^(?:(.*):)?(\d*)$/.exec(value) ?? [];
  return { host, port: port ? Number(port) : 9229, wait };
}
