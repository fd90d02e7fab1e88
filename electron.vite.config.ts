import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { channelNames } from './packages/desktop/app/shared/contracts/index.ts';
import { nodeWorkers } from './scripts/lib/node-workers.mjs';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const alias = { '@shared': path('./packages/desktop/app/shared') };

export default defineConfig({
  main: {
    resolve: { alias },
    plugins: [nodeWorkers()],
    build: {
      outDir: path('./out/main'),
      rollupOptions: {
        input: { index: path('./packages/desktop/app/main/index.ts') },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    // A sandboxed preload can't load zod: it gets the names of the channels, not the contracts.
    define: { __CHANNEL_NAMES__: JSON.stringify(channelNames) },
    resolve: { alias },
    build: {
      outDir: path('./out/preload'),
      rollupOptions: {
        input: { index: path('./packages/desktop/app/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: path('./packages/renderer'),
    resolve: { alias },
    plugins: [react(), tailwindcss()],
    // As modules, workers can load a part when they need it.
    worker: { format: 'es' },
    build: {
      outDir: path('./out/renderer'),
      // electron-vite leaves it off; the window waits for this code to be read.
      minify: true,
      // Inlined files would need `data:` in the policy for scripts and workers.
      assetsInlineLimit: 0,
      rollupOptions: { input: { index: path('./packages/renderer/index.html') } },
    },
  },
});
