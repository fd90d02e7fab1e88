/** What a search works on. Goes to a worker thread: plain values only. */
interface SearchPlace {
  /** Folder to search, or one file. Absolute, links followed. */
  root: string;
  /** The workspace when `root` lies in it, otherwise `root`: ignore files count from here on, and links must not leave it. */
  top: string;
  /** Searches what ignore files name, and `node_modules`, too. */
  includeIgnored: boolean;
  /** Milliseconds after which it ends with what it has found. */
  softLimitMs: number;
}

export interface GlobRequest extends SearchPlace {
  kind: 'glob';
  pattern: string;
  /** Files. */
  limit: number;
}

export interface GrepRequest extends SearchPlace {
  kind: 'grep';
  source: string;
  flags: string;
  /** Which files; undefined for all. */
  glob?: string;
  mode: GrepMode;
  /** Lines around each match. */
  context: number;
  /** Matching lines, or files in the modes that show only those. */
  limit: number;
}

export type GrepMode = 'lines' | 'files' | 'count';
export type SearchRequest = GlobRequest | GrepRequest;

export interface GrepLine {
  number: number;
  /** Cut around the match when it is long. */
  text: string;
  isMatch: boolean;
}

export interface GrepFile {
  /** Absolute. */
  real: string;
  /** Matching lines; in the mode `files` only whether there are any. */
  count: number;
  /** In the mode `lines`, ascending. */
  lines: GrepLine[];
}

/** What a search left out. */
export interface SearchGaps {
  /** There was more than `limit`. */
  more: boolean;
  /** The soft limit ended it. */
  outOfTime: boolean;
  /** Files and folders that could not be read. */
  unreadable: number;
  /** Files that were too large to search. */
  tooLarge: number;
}

export interface SearchResults {
  glob: SearchGaps & { files: string[] };
  grep: SearchGaps & { files: GrepFile[] };
}
