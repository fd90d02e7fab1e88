import { type ComponentProps, memo } from 'react';
import { type Components, defaultRehypePlugins, Streamdown, type StreamdownProps } from 'streamdown';
import { FencedCode } from './FencedCode.tsx';
import { usePaced } from './paced.ts';
import { SafeImage } from './SafeImage.tsx';
import { SafeLink } from './SafeLink.tsx';
import { ScrollingTable } from './ScrollingTable.tsx';

/**
 * Without rehype-raw, HTML in the text is shown as the text that it is. The sanitizer stays as a second wall. Links and
 * pictures are judged by SafeLink and SafeImage, which show what was refused instead of dropping it.
 */
const rehypePlugins = [defaultRehypePlugins.sanitize] as NonNullable<StreamdownProps['rehypePlugins']>;

// Streamdown's index signature asks every component to take any property at all.
const components = {
  a: SafeLink,
  img: SafeImage,
  pre: FencedCode,
  inlineCode: ({ children }: ComponentProps<'code'>) => <code>{children}</code>,
  table: ScrollingTable,
} as Components;

const linkSafety = { enabled: false };

/**
 * A line that begins a hundred quotes or lists within one another, or is indented as if it did. Nobody reads such a text, and
 * some thousand levels hold the window up for a minute before React's stack ends.
 */
const TOO_DEEP = /^(?:(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]))){100}|[ \t]{200,}(?:[-+*]|\d{1,9}[.)])[ \t])/m;

/** Urls reach the components as they were written, and are judged there. */
const keepUrl = (url: string) => url;

export interface MarkdownProps {
  text: string;
  /** More will come. */
  growing: boolean;
}

/** Text of a model, as markdown. Inert: no HTML, no script, nothing loaded from elsewhere. */
export const Markdown = memo(function Markdown({ text, growing }: MarkdownProps) {
  const shown = usePaced(text, growing);
  if (TOO_DEEP.test(shown)) return <div className="markdown whitespace-pre-wrap">{shown}</div>;
  return (
    <div className="markdown">
      <Streamdown
        // Always by blocks, so that nothing is built anew when the last word has come.
        mode="streaming"
        parseIncompleteMarkdown={growing}
        isAnimating={growing}
        dir="auto"
        // Keeps Streamdown's own utility classes from meeting ours; markdown.css gives the looks.
        prefix="streamdown"
        controls={false}
        lineNumbers={false}
        tableMaxHeight={0}
        codeBlockMaxHeight={0}
        linkSafety={linkSafety}
        rehypePlugins={rehypePlugins}
        urlTransform={keepUrl}
        components={components}
      >
        {shown}
      </Streamdown>
    </div>
  );
});
