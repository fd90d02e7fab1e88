import { describe, expect, it } from 'vitest';
import { htmlToMarkdown, htmlToPlainText } from './html-to-markdown.ts';

const filler = '<p>Enough words, with commas, for an article to be recognised as one by its text alone.</p>'.repeat(12);
const page = `<!doctype html><html><head><title> The title </title><style>p{}</style></head><body>
<nav><a href="/menu">Menu</a></nav><article><h1>Heading</h1>${filler}
<p>A <a href="other.html">link</a>, a <a href="javascript:alert(1)">trap</a> and <img src="/a.png" alt="a picture">.</p>
<script>document.write('written')</script>
<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>
<pre><code>x = 1;
  y</code></pre></article><footer>Imprint</footer></body></html>`;

describe('htmlToMarkdown', () => {
  it('gives the article with absolute links, tables and code', () => {
    const { title, text } = htmlToMarkdown(page, 'https://example.com/docs/');
    expect(title).toBe('The title');
    expect(text).toContain('[link](https://example.com/docs/other.html)');
    expect(text).toContain('![a picture](https://example.com/a.png)');
    expect(text).toMatch(/\| a +\| b +\|\n\| -+ \| -+ \|\n\| 1 +\| 2 +\|/);
    expect(text).toContain('```\nx = 1;\n  y\n```');
    expect(text).toContain('trap');
    expect(text).not.toMatch(/javascript:|written|Menu|Imprint|p\{\}/);
  });

  it('gives all of a page that has no article, without what is around it', () => {
    const list = Array.from({ length: 30 }, (_, index) => `<li><a href="/item/${index}">Item ${index}</a></li>`).join(
      '',
    );
    const { text } = htmlToMarkdown(
      `<title>List</title><nav>Menu</nav><ul>${list}</ul><footer>Imprint</footer>`,
      'https://a.b/',
    );
    expect(text).toContain('[Item 29](https://a.b/item/29)');
    expect(text).not.toMatch(/Imprint|Menu/);
  });

  it('goes by the page’s own base', () => {
    const { text } = htmlToMarkdown('<base href="/deep/down/"><p><a href="x">x</a></p>', 'https://a.b/');
    expect(text).toBe('[x](https://a.b/deep/down/x)');
  });

  it.each(['', 'just text', '<p>open <b>ends', '</div></div>', '<html>'])('takes %j', (html) => {
    expect(htmlToMarkdown(html, 'https://a.b/').text).toBe(html.replace(/<[^>]*>/g, '').replace('ends', '**ends**'));
  });
});

describe('htmlToPlainText', () => {
  it('gives a line for each block, and no scripts', () => {
    const { title, text } = htmlToPlainText(page.replace(filler, ''));
    expect(title).toBe('The title');
    expect(text.split('\n')).toEqual([
      'Menu',
      'Heading',
      'A link, a trap and .',
      'a b',
      '1 2',
      'x = 1;',
      'y',
      'Imprint',
    ]);
  });
});
