import { expect, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/scripted-model.ts';

test('code in an answer is coloured, whatever its grammar takes', async ({ app, model }) => {
  await model.connect(app, FORMATS[1]);
  const code = 'template <class T>\nT twice(const T& value) { return value + value; } // both';
  model.whenTold('show code', `Here:\n\n\`\`\`cpp\n${code}\n\`\`\`\n`, { latency: 1, chunkSize: 10 });
  await app.send('show code');
  const block = app.lastAnswer.locator('pre');
  await expect(block.locator('span[style*="--code-"]').first()).toBeVisible();
  await expect(block).toHaveText(code);
});

test('the list stays at its end when what gets shorter is longer again at once', async ({ app, model }) => {
  await model.connect(app, FORMATS[1]);
  model.whenTold('talk', Array.from({ length: 60 }, (_, index) => `Paragraph ${index}.`).join('\n\n'), {
    latency: 1,
    chunkSize: 100,
  });
  await app.send('talk');
  await expect(app.lastAnswer).toContainText('Paragraph 59.');
  const distances = await app.page.getByTestId('message-list').evaluate(async (list) => {
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const distance = () => Math.round(list.scrollHeight - list.clientHeight - list.scrollTop);
    const filler = list.firstElementChild!.appendChild(document.createElement('div'));
    filler.style.height = '400px';
    await painted();
    // The list has learnt where it is.
    await painted();
    filler.style.height = '0';
    const clamped = distance();
    filler.style.height = '600px';
    await painted();
    filler.style.height = '700px';
    await painted();
    return [clamped, distance()];
  });
  expect(distances).toEqual([0, 0]);
});
