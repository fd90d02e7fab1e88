import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';

/** After so much output the reader rests, so that a command that never stops writing can't keep main busy. */
const BURST_BYTES = 1024 * 1024;
const REST_MS = 10;

/** Hands on what a stream says as UTF-8, until it ends or is destroyed; both are how an output ends. */
export async function readOutput(stream: Readable, onText: (text: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      onText(decoder.write(chunk));
      bytes += chunk.length;
      if (bytes < BURST_BYTES) continue;
      bytes = 0;
      await sleep(REST_MS);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
  onText(decoder.end());
}
