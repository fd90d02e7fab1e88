import { randomBytes } from 'node:crypto';
import { createCloneCodec } from '../clone-codec.mjs';
import { createBridge } from './bridge.mjs';
import { setUpIsolatedWorld } from './isolated-world.mjs';
import { setUpMainWorld } from './main-world.mjs';

/** The name of Electron's own world for preloads. */
export const ISOLATED_WORLD = 'Electron Isolated Context';

const CODEC = `(${createCloneCodec})({
  toBase64: (bytes) => bytes.toBase64(),
  fromBase64: (text) => Uint8Array.fromBase64(text),
})`;

/** In sub-frames nothing is set up. */
const inMainFrame = (body) => `if (window.top === window) { ${body} }`;

/**
 * The scripts of one window.
 *
 * @param {object} processInfo `process` as the preload sees it
 */
export function createRendererScripts(processInfo) {
  const secret = randomBytes(16).toString('hex');
  const toMainWorld = `${secret}-out`;
  const toIsolatedWorld = `${secret}-in`;
  const binding = `electronStandinPost${secret}`;
  const deliver = `electronStandinDeliver${secret}`;
  const bridge = (outgoing, incoming) =>
    `(${createBridge})({ outgoing: ${JSON.stringify(outgoing)}, incoming: ${JSON.stringify(incoming)}, codec: ${CODEC} })`;

  return {
    binding,
    deliver,
    /** The first script, in the page's own world. */
    mainWorld: inMainFrame(`(${setUpMainWorld})(${bridge(toIsolatedWorld, toMainWorld)});`),
    /**
     * The second script, in the isolated world.
     *
     * @param {{ file: string, source: string }[]} preloads
     */
    isolatedWorld(preloads) {
      const runs = preloads.map(
        ({ file, source }) => `run(function (require, process, exports, module, setImmediate, clearImmediate) {
${source}
}, ${JSON.stringify(file)});`,
      );
      return inMainFrame(`const post = globalThis.${binding};
delete globalThis.${binding};
const run = (${setUpIsolatedWorld})({
  codec: ${CODEC},
  bridge: ${bridge(toMainWorld, toIsolatedWorld)},
  post,
  deliver: ${JSON.stringify(deliver)},
  process: ${JSON.stringify(processInfo)},
});
${runs.join('\n')}`);
    },
  };
}
