import { readdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isObject } from '../schema/json.ts';
import { parseTolerantJson } from '../tolerant-json.ts';
import { fillPlaces, translateVariables } from './placeholders.ts';
import { ImportProblem, reasonOf } from './problem.ts';
import { readSourceFile } from './read-file.ts';
import { type FoundServers, readServers, serversIn, settingsIn } from './shapes.ts';
import { inFolder, type Machine, personalFiles, projectFiles, type SourceFile, workspaceFolders } from './sources.ts';

/** Projects beyond this many are not looked at; the newest come first. */
const MAX_PROJECTS = 100;

export interface Source extends SourceFile, FoundServers {
  /** Why the file could not be read. */
  error?: string;
}

/** The files of other programs that are there, with their servers. Each may fail by itself. Reads; writes nothing. */
export async function findSources(machine: Machine): Promise<Source[]> {
  const sources: Source[] = [];
  const projects = new Set<string>();
  for (const file of personalFiles(machine)) {
    const value = await read(file, sources);
    if (value === undefined) continue;
    sources.push(...sourcesIn(file, value, machine));
    if (file.kind === 'claude-code') for (const [folder] of claudeProjects(value)) projects.add(folder);
  }
  for (const folder of await openedFolders(machine)) projects.add(folder);
  for (const project of [...projects].filter((folder) => isLocalFolder(machine, folder)).slice(0, MAX_PROJECTS)) {
    for (const file of projectFiles(machine, project)) {
      // The home folder may be a project as well.
      if (sources.some(({ path }) => path === file.path)) continue;
      const value = await read(file, sources);
      if (value !== undefined) sources.push(...sourcesIn(file, value, machine));
    }
  }
  return sources.filter(
    ({ error, servers, problems, kind }) =>
      error !== undefined || kind === 'servers' || servers.length + problems.length > 0,
  );
}

/** Parsed JSON, undefined where the file isn't there or, noted in `sources`, can't be read. */
async function read(file: SourceFile, sources: Source[]): Promise<unknown> {
  try {
    const text = await readSourceFile(file.path);
    if (text === undefined) return undefined;
    if (text.replace(/^\uFEFF/, '').trim() === '') throw new ImportProblem('The file is empty.');
    return parse(text);
  } catch (error) {
    sources.push({ ...file, servers: [], problems: [], inputs: [], error: reasonOf(error).slice(0, 500) });
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return parseTolerantJson(text);
  } catch {
    // What a parser says may quote the file, and with it a secret.
    throw new ImportProblem('It is not valid JSON.');
  }
}

function sourcesIn(file: SourceFile, value: unknown, machine: Machine): Source[] {
  const found = file.kind === 'servers' ? serversIn(value) : settingsIn(value);
  const own = inPlace({ ...file, ...readServers(found ?? { map: {}, inputs: [] }) }, machine);
  if (file.kind !== 'claude-code') return [own];
  const ofProjects = claudeProjects(value).flatMap(([project, entry]) => {
    const servers = settingsIn(entry);
    return servers ? [inPlace({ ...file, project, ...readServers(servers) }, machine)] : [];
  });
  return [own, ...ofProjects];
}

/** Programs start the servers of a project in its folder, and fill in where that and the home folder are. */
function inPlace(source: Source, { home }: Machine): Source {
  const { project, variables } = source;
  const servers = source.servers.map(({ draft, notes }) => {
    const translated = variables ? translateVariables(draft.config, variables) : draft.config;
    const config = fillPlaces(translated, { home, folder: project });
    const cwd = draft.type === 'stdio' && project !== undefined ? (config.cwd ?? project) : config.cwd;
    return { notes, draft: { ...draft, config: cwd === undefined ? config : { ...config, cwd } } };
  });
  return { ...source, servers };
}

const claudeProjects = (value: unknown): [folder: string, entry: unknown][] =>
  isObject(value) && isObject(value.projects) ? Object.entries(value.projects) : [];

/** A folder on this machine: looking at one on another may take long, and tells that machine. */
const isLocalFolder = ({ platform }: Machine, folder: string): boolean =>
  platform === 'win32' ? /^[A-Za-z]:[\\/]/.test(folder) : folder.startsWith('/') && !folder.startsWith('//');

/** Folders on this machine that editors had open, the newest first. */
async function openedFolders(machine: Machine): Promise<string[]> {
  const found: { folder: string; at: number }[] = [];
  for (const storage of workspaceFolders(machine)) {
    const names = await readdir(storage).catch(() => []);
    for (const name of names.slice(0, 1000)) {
      const file = inFolder(machine, storage, `${name}/workspace.json`);
      const folder = await localFolder(file);
      if (folder !== undefined) found.push({ folder, at: await changedAt(file) });
    }
  }
  return found.sort((a, b) => b.at - a.at).map(({ folder }) => folder);
}

const changedAt = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/** The folder that a `workspace.json` names. One on another machine is of no use; one that can't be read is no loss. */
async function localFolder(file: string): Promise<string | undefined> {
  try {
    const value = parseTolerantJson((await readSourceFile(file)) ?? '');
    const url = isObject(value) && typeof value.folder === 'string' ? URL.parse(value.folder) : null;
    return url?.protocol === 'file:' && url.host === '' ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}
