const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Does what Electron does between the main script and `ready`: it installs handlers of its own for the signals that ask
 * a program to end. They quit the app once and restore the default, so a second signal kills.
 *
 * libuv doesn't notice that its handler was replaced. A listener from before is therefore never called again, and
 * neither is one that is added beside it; a first listener that is added later installs libuv's handler afresh.
 *
 * @param {() => void} quit
 */
export function installShutdownSignals(quit) {
  /** Keeps Node's default from killing the process; what really happens is decided in `emit` below. */
  const placeholder = () => {};
  /** @type {Set<string>} */
  const replaced = new Set();
  /** @type {Set<string>} */
  const lost = new Set();
  const emit = process.emit;
  process.emit = function emitSignal(name, ...args) {
    if (!replaced.has(name)) return Reflect.apply(emit, this, [name, ...args]);
    const listeners = process.listeners(name);
    const byApp = listeners.some((listener) => listener !== placeholder);
    // Whoever took every listener away and then added one has a handler of libuv's again.
    const isAfresh = byApp && !listeners.includes(placeholder);
    replaced.delete(name);
    if (isAfresh || (byApp && !lost.has(name))) {
      process.off(name, placeholder);
      return Reflect.apply(emit, this, [name, ...args]);
    }
    process.removeAllListeners(name);
    quit();
    return true;
  };
  for (const signal of SIGNALS) {
    // Node binds `emit` when it starts to watch a signal, so it has to start anew.
    const early = process.rawListeners(signal);
    if (early.length > 0) lost.add(signal);
    process.removeAllListeners(signal);
    process.on(signal, placeholder);
    for (const listener of early) process.on(signal, /** @type {() => void} */ (listener));
    replaced.add(signal);
  }
}
