import { readFileSync } from 'node:fs';
import type { StreamPart } from '../../ports/model.ts';
import type { StreamMachine } from '../wire/run-machine.ts';

/** For tests: runs a stream that lies beside them, one chunk of JSON a line, through a machine. */
export function readRecording<Chunk>(url: URL, machine: StreamMachine<Chunk>): StreamPart[] {
  const lines = readFileSync(url, 'utf8').trim().split('\n');
  return [...lines.flatMap((line) => machine.push(JSON.parse(line))), ...machine.end()];
}
