// Runs a stdio server in this process and writes down what it answers: record.mjs MARK FOLDER FAULTY PROGRAM [ARGUMENT …].
// The arguments count for the first FAULTY starts only; after that the program runs without them.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprint } from './answers.mjs';

const [, , , folder, faulty, program, ...behaviour] = process.argv;
const startsFile = join(folder, 'starts');
appendFileSync(startsFile, '.');
const isFaulty = readFileSync(startsFile, 'utf8').length <= Number(faulty);

const NEWLINE = 10;
let pending = [];

function record(line) {
  try {
    const { result } = JSON.parse(line);
    if (result?.content) appendFileSync(join(folder, 'given'), `${fingerprint(result.content)}\n`);
  } catch {
    // Noise: nothing that anyone could lose.
  }
}

const write = process.stdout.write.bind(process.stdout);
process.stdout.write = (chunk, ...rest) => {
  // A pipe takes all of it before this returns, so what is noted down has left the server.
  const more = write(chunk, ...rest);
  let bytes = Buffer.from(chunk);
  for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE)) {
    record(Buffer.concat([...pending, bytes.subarray(0, end)]).toString());
    pending = [];
    bytes = bytes.subarray(end + 1);
  }
  if (bytes.length > 0) pending.push(bytes);
  return more;
};

process.argv = [process.argv[0], program, ...(isFaulty ? behaviour : [])];
await import(pathToFileURL(program).href);
