/**
 * Says something on stderr in the stand-in's own name.
 *
 * @param {string} message
 */
export function note(message) {
  process.stderr.write(`[electron-standin] ${message}\n`);
}
