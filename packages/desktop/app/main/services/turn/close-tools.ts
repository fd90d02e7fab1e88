import { similarity } from '../ports/similarity.ts';
import { toolNames } from '../ports/tool-formats.ts';
import type { ToolSet } from '../ports/tools.ts';

const MAX_NAMED = 3;
const ALIKE = 0.5;

/**
 * Wire names of the tools that a model may have meant by a name that no tool has, likeliest first, at most three. Models
 * leave the server's part out, put `functions.` before a name or something of their own behind it, and change spelling.
 */
export function closeTools(wanted: string, { tools, find }: Pick<ToolSet, 'tools' | 'find'>): string[] {
  if (wanted.trim() === '') return [];
  const name = plain(wanted);
  return toolNames(tools ?? [])
    .map((wireName) => ({ wireName, likeness: Math.max(...[wireName, find(wireName)?.name ?? ''].map(likeness)) }))
    .filter((rated) => rated.likeness >= ALIKE)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_NAMED)
    .map(({ wireName }) => wireName);

  function likeness(other: string): number {
    const candidate = plain(other);
    if (candidate === '') return 0;
    const alike = similarity(name, candidate);
    // A whole name within the other counts by its end, which says more than the server's part before it.
    const isWithin = candidate.length > 2 && (name.endsWith(candidate) || name.startsWith(candidate));
    return isWithin ? Math.max(alike, 0.9) : alike;
  }
}

/** Spellings of one name: `readFile`, `read_file`, `read-file`, `functions.read_file`. */
const plain = (name: string): string =>
  name
    .slice(0, 200)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
