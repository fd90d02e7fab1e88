const TASK = 'ThreadControllerImpl::RunTask';

/**
 * Notes every task of the window's main thread while `work` runs, through Chromium's own tracing.
 *
 * @param {import('@playwright/test').Page} page
 * @param {() => Promise<void>} work
 * @returns {Promise<{cpu: number, wall: number}[]>} milliseconds of each task: what the thread worked, and what passed on
 *   the clock, the waiting for a free core included
 */
export async function tasksDuring(page, work) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await client.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', '__metadata'] },
    transferMode: 'ReportEvents',
  });
  await work();
  const complete = new Promise((resolve) => client.once('Tracing.tracingComplete', resolve));
  await client.send('Tracing.end');
  await complete;
  await client.detach();
  return mainThreadTasks(events);
}

/** The window's main thread is the busiest of those with that name: others belong to pages that nobody sees. */
function mainThreadTasks(events) {
  const threads = new Map();
  const keyOf = ({ pid, tid }) => `${pid}:${tid}`;
  for (const event of events) {
    if (event.name === 'thread_name' && event.args.name === 'CrRendererMain') threads.set(keyOf(event), []);
  }
  for (const event of events) {
    if (event.name === TASK && event.ph === 'X') threads.get(keyOf(event))?.push(event);
  }
  const [tasks = []] = [...threads.values()].sort((a, b) => b.length - a.length);
  if (tasks.length === 0) throw new Error("Chromium's trace has no task of the window.");
  // Where threads have no clock of their own, the one on the wall has to do.
  return tasks.map(({ dur = 0, tdur = dur }) => ({ cpu: tdur / 1000, wall: dur / 1000 }));
}
