import type { ServerTab } from './page/ServerPage.tsx';

/** Where one is in the section. `focus` says which control of the list has the focus: a server's id, or `add` or `import`. */
export type ServersPage =
  | { name: 'list'; focus?: string }
  | { name: 'add' }
  | { name: 'import' }
  | { name: 'edit'; serverId: string }
  | { name: 'server'; serverId: string; tab: ServerTab }
  | { name: 'playground'; serverId: string; toolName: string };
