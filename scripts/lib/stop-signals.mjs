const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 };

let stop;

/**
 * Says what SIGINT, SIGTERM and SIGHUP do from now on; the last caller decides. One Ctrl-C may arrive several times: from
 * the terminal, from npm, from the script above.
 *
 * @param {(signal: 'SIGINT'|'SIGTERM'|'SIGHUP', exitCode: number) => void} handler `exitCode` is the usual one, 128 + n
 */
export function onStopSignal(handler) {
  if (!stop) {
    for (const [signal, number] of Object.entries(NUMBERS)) process.on(signal, () => stop(signal, 128 + number));
  }
  stop = handler;
}
