const WORDS =
  'the cache keeps each answer until its source changes so a second request costs nothing and never waits for the network while readers see what was true a moment ago'.split(
    ' ',
  );

/** Words that differ from place to place, so that a piece which is lost or doubled is noticed. */
const words = (seed, count) =>
  Array.from({ length: count }, (_, i) => (i % 9 === 4 ? `n${seed}x${i}` : WORDS[(seed * 7 + i * 3) % WORDS.length]));
const sentence = (seed, count) => `${words(seed, count).join(' ')}.`;

const CODE = {
  ts: (n) => [
    `export async function load${n}(id: string): Promise<Item> {`,
    `  const known = cache.get(id);`,
    `  if (known && known.age < ${n * 10}) return known.item;`,
    `  const response = await fetch(\`/items/\${id}?part=${n}\`);`,
    `  if (!response.ok) throw new Error("item " + id + " failed");`,
    `  return (await response.json()) as Item; // part ${n}`,
    '}',
  ],
  python: (n) => [
    `def mean_${n}(values: list[float]) -> float:`,
    `    """Mean of the values, or ${n} without any."""`,
    `    if not values:`,
    `        return ${n}.0`,
    `    return sum(values) / len(values)`,
  ],
  cpp: (n) => [
    '#include <vector>',
    'template <class T>',
    `T sum${n}(const std::vector<T>& values) {`,
    `  T total{${n}};`,
    '  for (const auto& value : values) total += value; // all of them',
    '  return total;',
    '}',
  ],
  bash: (n) => [`for f in logs/${n}-*.txt; do`, `  grep -c "error" "$f" || echo "none in $f"`, 'done'],
};

const LANGUAGES = Object.keys(CODE);

/** Each gives a piece of markdown and the texts that a reader sees of it, in order. */
const BLOCKS = [
  (n) => ({ markdown: `## Part ${n}: ${words(n, 4).join(' ')}`, visible: [`Part ${n}: ${words(n, 4).join(' ')}`] }),
  (n) => {
    const [a, b, c] = [sentence(n, 24), words(n + 1, 3).join(' '), sentence(n + 2, 20)];
    return {
      markdown: `${a} **${b}** and \`value_${n}\`, as [the notes ${n}](https://example.com/notes/${n}) say: ${c}`,
      visible: [a, b, `value_${n}`, `the notes ${n}`, c],
    };
  },
  (n) => {
    const language = LANGUAGES[Math.floor(n / BLOCKS.length) % LANGUAGES.length];
    const lines = CODE[language](n);
    return { markdown: `\`\`\`${language}\n${lines.join('\n')}\n\`\`\``, visible: lines };
  },
  (n) => {
    const items = [sentence(n, 9), sentence(n + 3, 12), sentence(n + 5, 7)];
    return {
      markdown: `- ${items[0]}\n- ${items[1]}\n  - nested ${n}\n- ${items[2]}`,
      visible: [items[0], items[1], `nested ${n}`, items[2]],
    };
  },
  (n) => {
    const rows = [0, 1, 2, 3].map((i) => [`row${n}.${i}`, `${n * i} ms`, words(n + i, 4).join(' ')]);
    const head = ['Name', 'Time', 'Remark'];
    return {
      markdown: [head, ['---', '---:', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
      visible: [...head, ...rows.flat()],
    };
  },
  (n) => {
    const items = [sentence(n + 2, 11), sentence(n + 4, 8)];
    return { markdown: `1. ${items[0]}\n2. ${items[1]}`, visible: items };
  },
];

/**
 * An answer such as models give, in markdown: headings, paragraphs with links and code, lists, tables and fenced code.
 *
 * @param {number} length in characters, all of them ASCII
 * @returns {{markdown: string, visible: string[]}} `visible`: what must be read on the screen, in this order
 */
export function longAnswer(length) {
  const last = 'This is the end of the answer';
  const pieces = [];
  const visible = [];
  let size = 0;
  for (let n = 1; ; n++) {
    const block = BLOCKS[n % BLOCKS.length](n);
    if (size + block.markdown.length + 2 > length - last.length - 2) break;
    pieces.push(block.markdown);
    visible.push(...block.visible);
    size += block.markdown.length + 2;
  }
  const filler = '.'.repeat(length - size - last.length);
  pieces.push(last + filler);
  visible.push(last + filler);
  return { markdown: pieces.join('\n\n'), visible };
}

/** The first of `visible` that the text of a page lacks at its place, or undefined. White space counts for nothing. */
export function firstMissing(visible, pageText) {
  const dense = (text) => text.replace(/\s+/g, '');
  const page = dense(pageText);
  let at = 0;
  return visible.find((piece) => {
    const found = page.indexOf(dense(piece), at);
    if (found === -1) return true;
    at = found + dense(piece).length;
    return false;
  });
}
