import { expect, test } from './fixtures/app.ts';
import { FORMATS } from './fixtures/model-server.ts';

test('code in an answer is coloured, whatever its grammar takes', async ({ app, model }) => {
  await model.connect(app, FORMATS[1]);
  const code = 'template <class T>\nT twice(const T& value) { return value + value; } // both';
  model.whenTold('show code', `Here:\n\n\`\`\`cpp\n${code}\n\`\`\`\n`, { latency: 1, chunkSize: 10 });
  await app.send('show code');
  const block = app.lastAnswer.locator('pre');
  await expect(block.locator('span[style*="--code-"]').first()).toBeVisible();
  await expect(block).toHaveText(code);
});
