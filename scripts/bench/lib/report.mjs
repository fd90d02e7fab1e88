const VERDICTS = { shown: '', met: 'met', unclear: 'unclear: above, within the spread', missed: '**missed**' };

/** Three digits are as many as a measurement here carries. */
const short = (value) => (Number.isInteger(value) || Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

const quantity = (value, unit) => `${short(value)} ${unit}`;

/** A row of the table. `result` is a bar with `app` and `raw` (spreads of the samples) and `judged` (from `judge`). */
function row({ title, unit, limit, compared, app, raw, judged }) {
  const times = (value) => (compared ? `×${value.toFixed(2)}` : short(value));
  const spread = judged.min === judged.max ? '' : `${times(judged.q1)}–${times(judged.q3)}`;
  return [
    title,
    quantity(app.median, unit),
    raw ? quantity(raw.median, unit) : '–',
    compared ? times(judged.median) : '–',
    spread || '–',
    limit === undefined ? '–' : compared ? `×${limit}` : quantity(limit, unit),
    VERDICTS[judged.verdict],
  ];
}

/** The results as a table in Markdown. */
export function table(results) {
  const head = ['', 'this app', 'raw SDK v1', 'ratio', 'middle half of the rounds', 'bar', ''];
  const rule = ['---', '---:', '---:', '---:', '---:', '---:', '---'];
  return [head, rule, ...results.map(row)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
