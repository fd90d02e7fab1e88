import { AgentView, call, expect, type Project, test, WIRES } from './fixtures/agent.ts';

/** Tokens that the model can take. The agent's tools and instructions take about a fourth of it. */
const WINDOW = 16_000;
const FILES = 12;

/** Files of some 1,500 tokens each: all of them together are more than the window. */
function writeLongFiles(project: Project): void {
  for (let file = 0; file < FILES; file++) {
    const line = (number: number) => `part ${number} of file ${file}: the quick brown fox jumps over the lazy dog`;
    project.write(`long/${file}.txt`, `marker-${file}\n${Array.from({ length: 90 }, (_, n) => line(n)).join('\n')}\n`);
  }
}

const readFile = (file: number) => call('Read', { path: `long/${file}.txt` });

test.use({ contextWindow: WINDOW });

for (const wire of WIRES) {
  test.describe(wire.name, () => {
    test.use({ wire });

    test('a run that outgrows the window goes on, and what was replaced can be read', async ({
      app,
      scripted,
      project,
    }) => {
      await scripted.connect(app);
      writeLongFiles(project);
      scripted.summary = [{ text: 'Notes: the first files hold foxes.' }];
      scripted.will(
        ...Array.from({ length: FILES }, (_, file) => [{ reasoning: `File ${file} is next.` }, readFile(file)]),
        [{ text: 'All of them hold foxes.' }],
      );
      const run = new AgentView(app);
      await run.start({ goal: 'Read all the long files', workspace: project.folder });
      await run.ended('All of them hold foxes.');

      // In time: the server refuses what is too long, and has refused nothing.
      expect(scripted.summaries).toBeGreaterThanOrEqual(1);
      expect(scripted.summaries).toBeLessThanOrEqual(4);
      const last = scripted.requests.at(-1)!;
      expect(last).toContain('Read all the long files');
      expect(last).toContain('Notes: the first files hold foxes.');
      expect(last).not.toContain('marker-0');
      expect(last).toContain(`marker-${FILES - 1}`);

      // The person sees that it happened, can read the summary, and everything that it replaced.
      const rows = await run.rows();
      const divider = await run.scrollTo(rows.findLast(({ parts }) => parts.some(({ type }) => type === 'summary'))!);
      await expect(divider).toContainText('Earlier messages were summarised for the model');
      await run.open(divider);
      await expect(divider).toContainText('Notes: the first files hold foxes.');
      await expect(divider).toContainText('You can still read them above.');
      const first = await run.scrollTo(rows[1]!);
      await expect(await app.resultOf(first.getByTestId('tool-card'))).toContainText('marker-0');
      const calls = await run.calls();
      expect(calls.map(({ args, state }) => [args?.path, state])).toEqual(
        Array.from({ length: FILES }, (_, file) => [`long/${file}.txt`, 'done']),
      );
    });
  });
}

test('a run is stopped while it is summed up, and goes on from there', async ({ app, scripted, project }) => {
  await scripted.connect(app);
  writeLongFiles(project);
  const rounds = Array.from({ length: FILES }, (_, file) => [readFile(file)]);
  scripted.summary = [{ text: 'Notes, half of' }, { delay: 600_000 }];
  scripted.will(...rounds, [{ text: 'All read.' }]);
  const run = new AgentView(app);
  await run.start({ goal: 'Read all the long files', workspace: project.folder });
  const waiting = app.page.getByText('Summarising earlier messages, so that the model can go on…');
  await expect(waiting).toBeVisible();
  // It says so as well to who comes back to it meanwhile.
  await app.page.getByRole('button', { name: 'New chat' }).first().click();
  await expect(run.view).toBeHidden();
  await run.reopen();
  await expect(waiting).toBeVisible();
  await run.stop();
  await expect(waiting).toBeHidden();
  await expect(app.page.getByTestId('summary')).toHaveCount(0);

  scripted.summary = [{ text: 'Notes: foxes.' }];
  await run.resume();
  await run.ended('All read.');
  expect(scripted.requests.at(-1)).toContain('Notes: foxes.');
  expect((await run.calls()).map(({ state }) => state)).toEqual(rounds.map(() => 'done'));
});
