import { readdirSync } from 'node:fs';
import { build } from 'vite';
import { expect, it } from 'vitest';
import { inRoot, ROOT } from './paths.mjs';

// No compiler reads the scripts, and some of them no test runs.
it('every script finds what it imports from its own files', async () => {
  const scripts = readdirSync(inRoot('scripts'), { recursive: true })
    .filter((name) => name.endsWith('.mjs') && !name.includes('.test.'))
    .map((name) => inRoot('scripts', name));
  const linked = build({
    root: ROOT,
    configFile: false,
    logLevel: 'silent',
    build: { ssr: true, write: false, rolldownOptions: { input: scripts, external: /^[^./]/ } },
  });
  await expect(linked).resolves.toBeDefined();
});
