import fs from 'node:fs';
import vm from 'node:vm';
import { note } from './log.mjs';
import { createRendererScripts, ISOLATED_WORLD } from './renderer/scripts.mjs';
import { defaultSession } from './session.mjs';

/** The scripts that run in a window's pages before their own: the preloads and what carries them. */
export class Preloads {
  #scripts;
  #file;
  #onFailure;
  /** @type {string[]} */
  #identifiers = [];
  #installed = '';

  /**
   * @param {{ preload?: string, additionalArguments?: string[] }} preferences
   * @param {(file: string, error: unknown) => void} onFailure told about a preload that doesn't parse
   */
  constructor({ preload, additionalArguments = [] }, onFailure) {
    const { platform, arch, version, versions, pid, resourcesPath, execPath, env } = process;
    const argv = [execPath, '--type=renderer', ...additionalArguments];
    const shared = { platform, arch, version, versions: { ...versions }, pid, resourcesPath, execPath, argv, env };
    this.#scripts = createRendererScripts(shared);
    this.#file = preload;
    this.#onFailure = onFailure;
  }

  /** The name of the function by which the scripts call main. */
  get binding() {
    return this.#scripts.binding;
  }

  /** The name of the function by which main calls the scripts. */
  get deliver() {
    return this.#scripts.deliver;
  }

  /**
   * Puts the preloads in place as they are now; Electron reads the files at each load too.
   *
   * @param {import('./cdp.mjs').CdpSession} session
   */
  async install(session) {
    const files = defaultSession.standin.preloads().filter(({ type }) => type === 'frame');
    const paths = files.map(({ filePath }) => filePath);
    if (this.#file) paths.push(this.#file);
    const sources = paths.map((file) => this.#read(file)).filter((preload) => preload !== null);
    const source = this.#scripts.isolatedWorld(sources);
    if (source === this.#installed) return;
    this.#installed = source;
    const outdated = this.#identifiers;
    for (const identifier of outdated) {
      void session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier }).catch(() => {});
    }
    const added = await Promise.all([
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: this.#scripts.mainWorld }),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: ISOLATED_WORLD }),
    ]);
    this.#identifiers = added.map(({ identifier }) => identifier);
  }

  /**
   * @param {string} file
   * @returns {{ file: string, source: string } | null} null when it can't run
   */
  #read(file) {
    try {
      const source = fs.readFileSync(file, 'utf8');
      // One that doesn't parse would take the other scripts with it.
      vm.compileFunction(source, ['require', 'process', 'exports', 'module'], { filename: file });
      return { file, source };
    } catch (error) {
      this.failed(file, error);
      return null;
    }
  }

  /**
   * @param {string} file
   * @param {unknown} error
   */
  failed(file, error) {
    note(`Unable to load preload script: ${file}: ${error instanceof Error ? error.message : error}`);
    setImmediate(() => this.#onFailure(file, error));
  }
}
