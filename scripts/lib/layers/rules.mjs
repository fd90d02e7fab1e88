const MAIN = 'packages/desktop/app/main';
const SERVICES = `${MAIN}/services`;

/** Areas by folder (or file). The first that a path lies in is its area. */
const AREAS = [
  ['shared', 'packages/desktop/app/shared/'],
  ['preload', 'packages/desktop/app/preload/'],
  ['entry', `${MAIN}/index.ts`],
  ['bootstrap', `${MAIN}/bootstrap/`],
  ['platform', `${MAIN}/platform/`],
  ['ports', `${SERVICES}/ports/`],
  ['routers', `${SERVICES}/routers/`],
  ['turn', `${SERVICES}/turn/`],
  ['completion', `${SERVICES}/completion/`],
  ['providers', `${SERVICES}/providers/`],
  ['capabilities', `${SERVICES}/capabilities/`],
  ['agent-core', `${SERVICES}/agent-core/`],
  ['texts', 'packages/renderer/src/i18n/en/'],
  ['renderer', 'packages/renderer/'],
  ['resources', 'resources/'],
];

/** The area of a path in the repository; any other folder below services is an area by its own name. */
export function areaOf(path) {
  for (const [area, place] of AREAS) if (path === place || (place.endsWith('/') && path.startsWith(place))) return area;
  if (path.startsWith(`${SERVICES}/`)) return `services/${path.slice(SERVICES.length + 1).split('/')[0]}`;
  return undefined;
}

export const isService = (path) => path.startsWith(`${SERVICES}/`);

/** Entry points that are plain functions. */
const ENTRY_FUNCTIONS = [`${SERVICES}/capabilities/tools/mcp-users/parse-servers-json.ts`];

/** What routers may call: a file named after the class it exports, or a function that is listed. */
export const isEntryPoint = (path) => /^[A-Z]/.test(path.split('/').at(-1)) || ENTRY_FUNCTIONS.includes(path);

const EVERY_SERVICE = ['turn', 'completion', 'providers', 'capabilities', 'agent-core', 'services/*'];

/**
 * Who may import what ("May import" in the design). An area may always import itself.
 *
 * may       areas from which anything may be imported
 * entries   areas of which only the entry points may be imported
 * types     areas from which only types may be imported
 * packages  npm packages, types included: a list, in which 'node' stands for all of Node's own modules, or 'any'
 */
export const RULES = {
  shared: { may: [], packages: ['zod'] },
  // A sandboxed preload can load nothing else, and what it bundles runs beside the page.
  preload: { may: [], types: ['shared'], packages: ['electron'] },
  renderer: {
    may: ['resources', 'texts'],
    types: ['shared'],
    packages: [
      '@fontsource-variable/inter',
      '@fontsource-variable/jetbrains-mono',
      'cmdk',
      'i18next',
      'lucide-react',
      'radix-ui',
      'react',
      'react-dom',
      'react-i18next',
      'shiki',
      'streamdown',
      'virtua',
      'zustand',
    ],
  },
  ports: { may: ['shared'], packages: ['node'] },
  platform: { may: ['shared', 'ports', 'texts'], packages: 'any' },
  turn: { may: ['shared', 'ports'], packages: ['node', 'zod'] },
  providers: { may: ['shared', 'ports'], packages: 'any' },
  capabilities: { may: ['shared', 'ports'], packages: 'any' },
  completion: { may: ['shared', 'ports', 'turn', 'capabilities'], packages: 'any' },
  'agent-core': { may: ['shared', 'ports', 'turn', 'capabilities'], packages: 'any' },
  'services/*': { may: ['shared', 'ports'], packages: 'any' },
  routers: { may: ['shared', 'ports'], entries: EVERY_SERVICE, packages: ['node', 'zod'] },
  bootstrap: { may: ['shared', 'ports', 'platform', 'routers', 'resources', ...EVERY_SERVICE], packages: 'any' },
  entry: { may: ['shared', 'ports', 'platform', 'bootstrap'], packages: 'any' },
};

/**
 * Imports that a rule forbids and a reason allows. `imports` is a path in the repository, or a package.
 *
 * @type {{file: string, imports: string[], reason: string}[]}
 */
export const EXCEPTIONS = [
  {
    file: 'packages/renderer/src/bridge/validate.ts',
    imports: ['packages/desktop/app/shared/contracts/index.ts', 'zod'],
    reason: 'checks what main sends against the contracts; loaded in development only',
  },
];

/** Packages that can't run without Electron; nothing below services imports them, tests included. */
export const isElectron = (specifier) => /^electron($|\/|-store$|-log($|\/)|-updater$)/.test(specifier);
