import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from './lib/build.mjs';
import { virtualDisplayFor } from './lib/display.mjs';
import { chooseElectron } from './lib/electron-runtime.mjs';
import { main, SetupError } from './lib/failure.mjs';
import { enterRuntime } from './lib/node-runtime.mjs';
import { inRoot, ROOT } from './lib/paths.mjs';
import { canSeeProcesses, ProcessWatch } from './lib/processes.mjs';

const OUT = inRoot('out', 'demo');
const END_MS = 15_000;
const STDERR_LINES = 30;

/** A user-data folder as a new user has it, but for one more file among the samples: it holds a token nobody can guess. */
function prepareUserData() {
  const userData = mkdtempSync(join(tmpdir(), 'tinyelf-demo-'));
  // However this ends, Ctrl-C included.
  process.once('exit', () => rmSync(userData, { recursive: true, force: true, maxRetries: 5 }));
  const token = randomBytes(8).toString('hex');
  const fileName = `token-${randomBytes(3).toString('hex')}.txt`;
  mkdirSync(join(userData, 'sample-files'));
  writeFileSync(join(userData, 'sample-files', fileName), `The token is ${token}.\n`);
  return { userData, token, fileName };
}

/** Starts the app through Playwright, which takes the runtime that the environment names. */
async function launch(userData, env) {
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const { _electron } = await import('@playwright/test');
  const mark = `TINYELF_DEMO=${randomBytes(8).toString('hex')}`;
  const [name, value] = mark.split('=');
  const app = await _electron.launch({
    args: [ROOT, `--user-data-dir=${userData}`],
    env: { ...process.env, [name]: value },
    timeout: 60_000,
  });
  const stderr = [];
  app.process().stderr.on('data', (chunk) => stderr.push(String(chunk)));
  return { app, watch: new ProcessWatch({ mark, text: userData }), stderr };
}

/** Quits the app as a person would and makes sure that nothing of it stays. Returns what is wrong, if anything. */
async function quit({ app, watch }) {
  const child = app.process();
  watch.note(child.pid);
  const closed = await Promise.race([app.close().then(() => true), sleep(END_MS, false, { ref: false })]);
  if (!closed) child.kill('SIGKILL');
  const left = await watch.waitForNone(END_MS);
  for (const line of left) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  if (!closed) return `The app did not end within ${END_MS / 1000} s.`;
  if (left.length > 0) return `The app left processes behind:\n${left.join('\n')}`;
  return undefined;
}

/** `npm run demo`: a whole conversation in the built app, with pictures and a transcript. Needs no display. */
async function demo() {
  const electron = await chooseElectron();
  await ensureBuilt(electron.env);
  const display = electron.kind === 'stand-in' ? undefined : await virtualDisplayFor(electron);
  console.log(`• Demo on ${electron.description}, with the built-in demo model (not an AI model)`);
  const { haveConversation, DemoFailure } = await import('./lib/demo-conversation.mjs');
  const { userData, token, fileName } = prepareUserData();
  rmSync(OUT, { recursive: true, force: true });
  let run;
  let problem;
  try {
    run = await launch(userData, { ...electron.env, ...display?.env });
    const preface = [
      `Recorded by \`npm run demo\` on ${electron.description}.`,
      'The model is the built-in demo model, which is not an AI model.',
    ];
    await haveConversation(run.app, { fileName, token, folder: OUT, preface });
  } catch (error) {
    problem = error instanceof DemoFailure ? error.message : error.stack;
    const end = run?.stderr.join('').split('\n').slice(-STDERR_LINES).join('\n').trim();
    if (end) problem += `\n\nThe app's last words:\n${end}`;
  }
  if (run) problem = [problem, await quit(run)].filter(Boolean).join('\n\n') || undefined;
  await display?.stop();
  if (problem) throw new SetupError(`The demo failed. ${problem}\n\nPictures so far: ${OUT}`);
  console.log(`• The token ${token} came out in the tool's result, in the answer and in the transcript.`);
  if (canSeeProcesses) console.log('• The app has ended and left no process.');
}

await main(async () => {
  await enterRuntime(import.meta.url);
  await demo();
  process.exit(0);
});
