import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { canSeeProcesses, ProcessWatch } from '../scripts/lib/processes.mjs';
import { AgentView, call, expect, processesWith, test } from './fixtures/agent.ts';

test.skip(!canSeeProcesses, 'processes are looked at through /proc');

const GONE_MS = 20_000;
/** Seconds that no other program sleeps. */
const uniqueSeconds = () => `1000.${process.pid}${Date.now()}`;

for (const end of ['quit', 'kill', 'stop'] as const) {
  test(`nothing that Bash started outlives the run: ${end}`, async ({ app, scripted, project }) => {
    await scripted.connect(app);
    const seconds = uniqueSeconds();
    const command = `setsid sleep ${seconds} & sleep ${seconds} & touch began; wait`;
    scripted.will([call('Bash', { command })]);
    const run = new AgentView(app);
    await run.start({ goal: 'Sleep', workspace: project.folder, mode: 'bypass' });
    await expect.poll(() => existsSync(join(project.folder, 'began'))).toBe(true);
    // The shell and both of its children.
    await expect.poll(() => processesWith(seconds).survivors().length).toBeGreaterThanOrEqual(3);
    if (end === 'stop') await run.stop();
    else await app[end]();
    expect(await processesWith(seconds).waitForNone(GONE_MS)).toEqual([]);
    if (end !== 'stop') await app.expectNoProcessLeft();
  });
}

for (const [end, last] of [
  ['ends well', { text: 'Done.' }],
  ['fails', { error: { status: 400, message: 'The model is unwell.' } }],
] as const) {
  test(`what Bash leaves in the background ends with the call, and a run that ${end} leaves nothing`, async ({
    app,
    scripted,
    project,
  }) => {
    await scripted.connect(app);
    const seconds = uniqueSeconds();
    const command = `sleep ${seconds} >/dev/null 2>&1 & setsid sleep ${seconds} >/dev/null 2>&1 & echo started`;
    scripted.will([call('Bash', { command })], [last]);
    const run = new AgentView(app);
    await run.start({ goal: 'Sleep', workspace: project.folder, mode: 'bypass' });
    await expect(run.cards('Bash')).toHaveAttribute('data-state', 'done');
    await run.ended();
    expect(await processesWith(seconds).waitForNone(GONE_MS)).toEqual([]);
  });
}

for (const end of ['ends well', 'is stopped', 'is killed with the app'] as const) {
  test(`the server of its own that a preset has is gone when the run ${end}`, async ({
    app,
    scripted,
    project,
    userData,
  }) => {
    await scripted.connect(app);
    project.write('.env', 'A=1\n');
    scripted.will([call('Read', { path: '.env' })]);
    const memory = new ProcessWatch({ mark: `MEMORY_FILE_PATH=${join(userData, 'memory.jsonl')}`, text: userData });
    const servers = () => memory.survivors().filter((found) => found.includes('server-memory'));
    const run = new AgentView(app);
    await run.start({ goal: 'Look around', workspace: project.folder, agent: 'Researcher' });
    // A file that may hold secrets asks, and the turn lasts for as long as nobody answers.
    await expect(app.approval).toContainText('.env');
    expect(scripted.requests[0]).toContain('memory__');
    expect(servers()).toHaveLength(1);
    if (end === 'ends well') {
      scripted.will([{ text: 'Seen.' }]);
      await app.answerApproval('Deny');
      await expect(app.lastAnswer).toContainText('Seen.');
      await run.ended();
    } else if (end === 'is stopped') await run.stop();
    else await app.kill();
    await expect.poll(servers, { timeout: GONE_MS }).toEqual([]);
  });
}
