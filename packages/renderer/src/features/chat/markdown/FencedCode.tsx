import { type ComponentProps, isValidElement, type ReactNode } from 'react';
import { useIsCodeFenceIncomplete } from 'streamdown';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';

/** A fenced block of code. Its language is whatever the model wrote: it is only ever compared and shown as text. */
export function FencedCode({ children }: ComponentProps<'pre'>) {
  const growing = useIsCodeFenceIncomplete();
  const code = isValidElement<{ className?: string; children?: ReactNode }>(children) ? children.props : null;
  const language = /language-(\S+)/.exec(code?.className ?? '')?.[1];
  return <CodeBlock code={plainText(code?.children).replace(/\n$/, '')} language={language} growing={growing} />;
}

function plainText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(plainText).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? plainText(node.props.children) : '';
}
