import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import v8 from 'node:v8';

/**
 * One lock per user-data folder. The lock is a socket name that the kernel frees when the process ends, however it
 * ends; messages to the holder are files, since the second instance must not wait.
 */
export class SingleInstance {
  /** @type {net.Server | null} */
  #lock = null;
  /** @type {fs.FSWatcher | null} */
  #watcher = null;

  /** @returns {boolean} */
  held() {
    return this.#lock !== null;
  }

  /**
   * @param {string} userData
   * @param {{ argv: string[], workingDirectory: string, additionalData: unknown }} message what the holder is told when
   *   there is one
   * @param {(message: { argv: string[], workingDirectory: string, additionalData: unknown }) => void} onSecond
   * @returns {boolean} whether this process holds the lock now
   */
  request(userData, message, onSecond) {
    if (this.#lock) return true;
    fs.mkdirSync(userData, { recursive: true });
    const folder = fs.realpathSync(userData);
    const mailbox = path.join(folder, 'SingletonMailbox');
    const server = net.createServer().unref();
    server.on('error', () => {});
    // Binding happens within this call; only the error event comes later.
    server.listen(`\0electron-standin-${createHash('sha256').update(folder).digest('hex')}`);
    if (!server.listening) {
      this.#post(mailbox, message);
      return false;
    }
    this.#lock = server;
    try {
      this.#watch(mailbox, onSecond);
    } catch {
      // Electron gets no lock either where it can't write to the folder.
      this.release();
      return false;
    }
    return true;
  }

  release() {
    this.#lock?.close();
    this.#lock = null;
    this.#watcher?.close();
    this.#watcher = null;
  }

  /**
   * @param {string} mailbox
   * @param {object} message
   */
  #post(mailbox, message) {
    fs.mkdirSync(mailbox, { recursive: true });
    const name = path.join(mailbox, `${process.hrtime.bigint()}-${process.pid}`);
    fs.writeFileSync(`${name}.part`, v8.serialize(message));
    fs.renameSync(`${name}.part`, `${name}.message`);
  }

  /**
   * @param {string} mailbox
   * @param {(message: any) => void} onSecond
   */
  #watch(mailbox, onSecond) {
    // Messages to a former holder are no concern of this one.
    fs.rmSync(mailbox, { recursive: true, force: true });
    fs.mkdirSync(mailbox, { recursive: true });
    const deliver = () => {
      for (const name of fs.readdirSync(mailbox).sort()) {
        if (!name.endsWith('.message')) continue;
        const file = path.join(mailbox, name);
        const message = v8.deserialize(fs.readFileSync(file));
        fs.rmSync(file);
        onSecond(message);
      }
    };
    this.#watcher = fs.watch(mailbox, { persistent: false }, deliver);
    this.#watcher.on('error', () => {});
  }
}
