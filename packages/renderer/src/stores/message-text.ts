import type { Message } from '@shared/contracts/message-types.ts';

/** The words of a message, without reasoning, tools and notices. */
export const textOf = ({ parts }: Message): string =>
  parts
    .filter((part) => part.type === 'text')
    .map(({ text }) => text)
    .join('\n\n');
