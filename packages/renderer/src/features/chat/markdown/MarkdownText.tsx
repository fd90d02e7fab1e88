import { type ComponentType, useSyncExternalStore } from 'react';
import type { MarkdownProps } from './Markdown.tsx';

let Markdown: ComponentType<MarkdownProps> | null = null;
const waiting = new Set<() => void>();

// Not part of the first load, but asked for with it: it is there before the first conversation is. React's lazy() would show
// its fallback once even then.
void import('./Markdown.tsx').then((module) => {
  Markdown = module.Markdown;
  for (const changed of waiting) changed();
});

const subscribe = (changed: () => void) => {
  waiting.add(changed);
  return () => void waiting.delete(changed);
};

/** Text of a model as markdown; as plain text for the moment until the markdown parser has been loaded. */
export function MarkdownText(props: MarkdownProps) {
  const Loaded = useSyncExternalStore(subscribe, () => Markdown);
  return Loaded ? <Loaded {...props} /> : <div className="markdown whitespace-pre-wrap">{props.text}</div>;
}
