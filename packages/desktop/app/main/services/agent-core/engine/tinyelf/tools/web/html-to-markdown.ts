import { gfm } from '@joplin/turndown-plugin-gfm';
import { Readability } from '@mozilla/readability';
import { Parser } from 'htmlparser2';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';

export interface PageText {
  title: string;
  text: string;
}

/** Nothing of these is for readers. */
const UNREAD = ['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'embed', 'canvas'];
/** Around what a page is about, or to be clicked on. */
const FURNITURE = ['nav', 'footer', 'button', 'dialog', 'input', 'select', 'textarea'];
/** An article that is less than this part of a page is not what the page is about. */
const MIN_SHARE = 0.2;

/**
 * What a page says, as Markdown: its article where one is recognised, otherwise all of it; without navigation and the like.
 * Addresses are made absolute by `url`. Costs seconds for large pages and may never end for hostile ones: run it in a worker.
 */
export function htmlToMarkdown(html: string, url: string): PageText {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  const base = URL.parse(document.querySelector('base[href]')?.getAttribute('href') ?? '', url)?.href ?? url;
  // Wherever it stands: pages are not made as they should be.
  const title = document.querySelector('title')?.textContent.trim() ?? '';
  for (const element of document.querySelectorAll(['title', ...UNREAD, ...FURNITURE].join())) element.remove();
  absolute(document, 'a', 'href', base);
  absolute(document, 'img', 'src', base);

  // Readability takes the document apart.
  const whole = { html: document.body.innerHTML, length: document.body.textContent.trim().length };
  const article = new Readability(document).parse();
  const isArticle = (article?.length ?? 0) > MIN_SHARE * whole.length;
  return { title, text: markdownOf((isArticle && article?.content) || whole.html) };
}

function markdownOf(html: string): string {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  turndown.use(gfm);
  // Of text: turndown's own parser knows tables, linkedom doesn't.
  return turndown.turndown(html).trim();
}

function absolute(document: Document, tag: string, attribute: string, base: string): void {
  for (const element of document.querySelectorAll(`${tag}[${attribute}]`)) {
    const url = URL.parse(element.getAttribute(attribute) ?? '', base);
    if (url && /^(https?|mailto):$/.test(url.protocol)) element.setAttribute(attribute, url.href);
    else element.removeAttribute(attribute);
  }
}

const BLOCKS =
  /^(address|article|blockquote|br|dd|div|dl|dt|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)$/;

/** The bare text of a page, a line for each block: for pages that are too much for {@link htmlToMarkdown}. */
export function htmlToPlainText(html: string): PageText {
  let title = '';
  let text = '';
  let unread = 0;
  let inTitle = false;
  const parser = new Parser({
    onopentagname(name) {
      if (UNREAD.includes(name)) unread++;
      inTitle = name === 'title';
      if (BLOCKS.test(name)) text += '\n';
      else if (name === 'td' || name === 'th') text += ' ';
    },
    ontext(piece) {
      if (unread > 0) return;
      if (inTitle) title += piece;
      else text += piece;
    },
    onclosetag(name) {
      if (UNREAD.includes(name)) unread--;
      inTitle = false;
      if (BLOCKS.test(name)) text += '\n';
    },
  });
  parser.end(html);
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return { title: title.trim(), text: lines.filter((line) => line !== '').join('\n') };
}
