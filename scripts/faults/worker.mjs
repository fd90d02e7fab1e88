// One fault in a process of its own, so that what is left of the client can be counted: worker.mjs MARK FOLDER FAULT.
import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessWatch } from '../lib/processes.mjs';
import { FAULTS } from './faults.mjs';
import { createSubject } from './subject.mjs';

const SETTLE_MS = 5000;
const POLL_MS = 50;

const [mark, folder, fault] = process.argv.slice(2);
const warnings = [];
process.on('warning', ({ name, message }) => name === 'MaxListenersExceededWarning' && warnings.push(message));
process.once('disconnect', () => process.exit());

/** What keeps this process alive (timers, sockets, pipes, children), and who listens to it, by kind. */
function inventory() {
  const counts = new Map();
  const add = (kind, count) => counts.set(kind, (counts.get(kind) ?? 0) + count);
  for (const resource of process.getActiveResourcesInfo()) add(resource, 1);
  for (const event of process.eventNames()) add(`listener for ${String(event)}`, process.listenerCount(event));
  return counts;
}

/** What there is more of than before, as `count kind`. */
function moreThan(before) {
  const grown = [...inventory()].map(([kind, count]) => [kind, count - (before.get(kind) ?? 0)]);
  return grown.filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`);
}

/** Waits until there is no more than before, or no longer. The poll's own timer is gone whenever it looks. */
async function growthSince(before) {
  const end = performance.now() + SETTLE_MS;
  let grown = moreThan(before);
  while (grown.length > 0 && performance.now() < end) {
    await sleep(POLL_MS);
    grown = moreThan(before);
  }
  return grown;
}

const watch = new ProcessWatch({ mark, text: mark });
const before = inventory();
const subject = await createSubject({ mark, folder });
const result = {};
try {
  result.recoverMs = await FAULTS[fault](subject, { mark, folder, watch });
} catch (error) {
  result.problem = String(error?.message ?? error);
}
watch.note(process.pid);
const start = performance.now();
const account = await subject.close();
const closeMs = performance.now() - start;
const processes = await watch.waitForNone(SETTLE_MS);
const handles = [...(await growthSince(before)), ...warnings];
process.send({ ...result, ...account, closeMs, processes, handles }, () => process.exit());
