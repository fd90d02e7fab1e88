import type { Message, MessagePart, ToolPart } from '@shared/contracts/message-types.ts';
import { assistantRow, textResult, userRow } from './scripted.ts';

/** About 280 tokens. */
export const words = (what: string) => `${what} ${'lorem ipsum '.repeat(83)}`;

/** Rows as stopped, failed and finished turns leave them. */
export function randomRows(random: () => number): Message[] {
  const pick = <Item>(...items: Item[]): Item => items[Math.floor(random() * items.length)]!;
  let calls = 0;
  const part = (): MessagePart => {
    const kind = random();
    if (kind < 0.2) return { type: 'text', text: words('Said') };
    if (kind < 0.3) return { type: 'reasoning', text: words('Thought'), providerData: { signature: random() } };
    if (kind < 0.35) return { type: 'notice', notice: 'interrupted' };
    const state = pick<ToolPart['state']>('done', 'done', 'failed', 'denied', 'cancelled');
    const hasResult = state === 'done' || (state === 'failed' && random() < 0.5);
    return {
      type: 'tool',
      callId: `old_${++calls}`,
      wireName: pick('mcp__srv__read', 'gone', 'bad name'),
      args: random() < 0.1 ? null : { file: words('a').slice(0, Math.floor(random() * 300)) },
      state,
      ...(hasResult && { result: textResult(words('Result').repeat(Math.floor(random() ** 4 * 20) + 1)) }),
    };
  };
  const rows: Message[] = [userRow(words('The goal'))];
  for (let count = Math.floor(random() * 30); count > 0; count--) {
    if (random() < 0.2) {
      rows.push(userRow(random() < 0.1 ? '' : words('Then')));
      continue;
    }
    const parts = Array.from({ length: Math.floor(random() * 5) }, part);
    const status = pick<Message['status']>('complete', 'complete', 'stopped', 'failed', 'interrupted');
    rows.push(assistantRow(parts, { status, ...(random() < 0.3 && { model: { providerId: 'p', modelId: 'other' } }) }));
  }
  rows.push(userRow('Go on'));
  return rows;
}
