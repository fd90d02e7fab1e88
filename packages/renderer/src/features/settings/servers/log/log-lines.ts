import type { McpLogEntry } from '@shared/contracts/mcp-types.ts';

export const SOURCES = ['all', 'output', 'message', 'protocol', 'lifecycle'] as const;
export const LEVELS = ['debug', 'info', 'warning', 'error'] as const;

export interface LogFilter {
  source: (typeof SOURCES)[number];
  /** This level and those above it. */
  level: (typeof LEVELS)[number];
  /** Case does not count. */
  text: string;
}

export const EVERYTHING: LogFilter = { source: 'all', level: 'debug', text: '' };

/** One line of the view: an entry, or that there were others before it that were dropped. */
export type LogLine = { entry: McpLogEntry; missing?: undefined } | { missing: number; entry: McpLogEntry };

/** The entries that pass, with a line where some came too quickly to be kept. */
export function linesOf(entries: readonly McpLogEntry[], filter: LogFilter): LogLine[] {
  const wanted = filter.text.trim().toLowerCase();
  const lines: LogLine[] = [];
  let last: number | undefined;
  for (const entry of entries) {
    const missing = last === undefined ? 0 : entry.number - last - 1;
    if (missing > 0) lines.push({ missing, entry });
    last = entry.number;
    if (passes(entry, filter, wanted)) lines.push({ entry });
  }
  return lines;
}

function passes(entry: McpLogEntry, { source, level }: LogFilter, wanted: string): boolean {
  const bySource =
    source === 'all' ||
    source === entry.source ||
    (source === 'output' && (entry.source === 'stderr' || entry.source === 'stdout'));
  if (!bySource || LEVELS.indexOf(entry.level) < LEVELS.indexOf(level)) return false;
  return wanted === '' || `${entry.source} ${summaryOf(entry)} ${entry.text}`.toLowerCase().includes(wanted);
}

/** What a message is, in one line: direction, method, id, size, and how long its answer took. Empty for others. */
export function summaryOf({ message }: McpLogEntry): string {
  if (!message) return '';
  const { direction, kind, method, id, bytes, ms } = message;
  const facts = [
    direction === 'out' ? '→' : '←',
    kind,
    method,
    id !== undefined && `#${id}`,
    formatBytes(bytes),
    ms !== undefined && formatMs(ms),
  ];
  return facts.filter(Boolean).join(' ');
}

/** An entry as text to be copied. */
export const textOf = (entry: McpLogEntry): string =>
  [new Date(entry.at).toISOString(), entry.source, entry.level, summaryOf(entry), entry.text].filter(Boolean).join(' ');

/** JSON laid out in lines; a text that was cut, and is JSON no more, as it is. */
export function laidOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export const formatMs = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
