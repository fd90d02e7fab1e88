import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkLayers } from './check.mjs';
import { importsOf } from './imports.mjs';

const APP = 'packages/desktop/app';
const SERVICES = `${APP}/main/services`;
const roots = [];

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true });
});

/** The violations in a tree of the given files. */
function violationsIn(files) {
  const root = mkdtempSync(join(tmpdir(), 'layers-'));
  roots.push(root);
  for (const [file, source] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), source);
  }
  return checkLayers(root).violations;
}

describe('importsOf', () => {
  it.each([
    [`import a from './x.ts'`, false],
    [`import './x.ts'`, false],
    [`import type { A } from './x.ts'`, true],
    [`import { type A, type B } from './x.ts'`, true],
    [`import { type A, b } from './x.ts'`, false],
    [`export * from './x.ts'`, false],
    [`export type * from './x.ts'`, true],
    [`export { type A } from './x.ts'`, true],
    [`export { a } from './x.ts'`, false],
    [`type A = import('./x.ts').A`, true],
    [`const f = async () => await import('./x.ts')`, false],
    ['const f = () => import(`./x.ts`)', false],
    [`const a = require('./x.ts')`, false],
  ])('finds the import in %s', (source, typeOnly) => {
    expect(importsOf('a.ts', source)).toEqual([{ specifier: './x.ts', typeOnly, line: 1 }]);
  });

  it('is not misled by text that looks like one', () => {
    expect(importsOf('a.tsx', '// import "a"\nconst s = "import \'b\'"; const e = <p>import "c"</p>;')).toEqual([]);
  });
});

describe('checkLayers', () => {
  it.each([
    ['shared', `${APP}/shared/a.ts`, `import fs from 'node:fs'`],
    ['shared', `${APP}/shared/a.ts`, `import type { X } from '../main/services/ports/x.ts'`],
    ['the preload', `${APP}/preload/index.ts`, `import { z } from 'zod'`],
    ['the preload', `${APP}/preload/index.ts`, `import { names } from '@shared/contracts/index.ts'`],
    ['the renderer', 'packages/renderer/src/a.tsx', `import { contracts } from '@shared/contracts/index.ts'`],
    ['the renderer', 'packages/renderer/src/a.tsx', `import { ipcRenderer } from 'electron'`],
    ['the renderer', 'packages/renderer/src/a.tsx', `const fs = await import('node:fs')`],
    ['the renderer', 'packages/renderer/src/a.tsx', `export * from '../../desktop/app/main/services/ports/x.ts'`],
    ['the turn', `${SERVICES}/turn/a.ts`, `import type { X } from '../providers/recipe.ts'`],
    ['the turn', `${SERVICES}/turn/a.ts`, `import OpenAI from 'openai'`],
    ['providers', `${SERVICES}/providers/openai/a.ts`, `import { x } from '../../capabilities/tools/x.ts'`],
    ['capabilities', `${SERVICES}/capabilities/tools/a.ts`, `import { x } from '../../completion/x.ts'`],
    ['a plain service', `${SERVICES}/settings/a.ts`, `import { x } from '../conversations/Store.ts'`],
    ['a router', `${SERVICES}/routers/a.ts`, `import { x } from '../settings/helper.ts'`],
    ['ports', `${SERVICES}/ports/a.ts`, `import type { X } from '../turn/x.ts'`],
    ['the platform', `${APP}/main/platform/a.ts`, `import { x } from '../services/settings/Settings.ts'`],
    ['anyone but bootstrap', `${SERVICES}/settings/a.ts`, `import { x } from '../../bootstrap/compose.ts'`],
    ['a service', `${SERVICES}/settings/a.ts`, `import { app } from 'electron'`],
    ['a service', `${SERVICES}/settings/a.ts`, `import Store from 'electron-store'`],
    ['a test of a service', `${SERVICES}/settings/a.test.ts`, `import { app } from 'electron'`],
  ])('refuses to %s (%s): %s', (_who, file, source) => {
    const violations = violationsIn({ [file]: `\n${source};\n` });
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain(`${file}:2 imports`);
  });

  it('accepts what the design allows', () => {
    expect(
      violationsIn({
        [`${APP}/shared/contracts/a.ts`]: `import { z } from 'zod'; import { b } from './b.ts';`,
        [`${APP}/preload/index.ts`]: `import { ipcRenderer } from 'electron'; import type { A } from '@shared/contracts/a.ts';`,
        'packages/renderer/src/a.tsx': `import { useState } from 'react'; import './a.css'; import type { A } from '@shared/contracts/a.ts';`,
        [`${SERVICES}/ports/a.ts`]: `import { b } from '@shared/contracts/b.ts';`,
        [`${SERVICES}/turn/a.ts`]: `import { AppError } from '../ports/errors.ts'; import { setTimeout } from 'node:timers/promises';`,
        [`${SERVICES}/turn/a.test.ts`]: `import { fake } from '../providers/demo/fake.ts'; import { it } from 'vitest';`,
        [`${SERVICES}/completion/CompletionService.ts`]: `import { runTurn } from '../turn/run-turn.ts';`,
        [`${SERVICES}/routers/a.ts`]: `import { Settings } from '../settings/Settings.ts'; import type { X } from '../settings/x.ts';`,
        [`${APP}/main/platform/a.ts`]: `import { app } from 'electron'; import { AppError } from '../services/ports/errors.ts';`,
        [`${APP}/main/bootstrap/compose.ts`]: `import { x } from '../services/settings/x.ts'; import '../platform/a.ts';`,
        [`${APP}/main/index.ts`]: `import { compose } from './bootstrap/compose.ts'; import { app } from 'electron';`,
      }),
    ).toEqual([]);
  });
});
