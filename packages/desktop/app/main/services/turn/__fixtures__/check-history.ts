import type { ModelMessage } from '../../ports/model.ts';

/** What providers refuse in a history, each fault in a sentence; empty when they would take it. */
export function faultsOf(messages: readonly ModelMessage[]): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  if (messages.length > 0 && messages[0]!.role !== 'user') faults.push(`begins with ${messages[0]!.role}`);
  messages.forEach((message, index) => {
    const next = messages[index + 1];
    if (message.role === 'user') {
      if (message.text.trim() === '') faults.push(`${index}: empty user message`);
      if (next?.role === 'user') faults.push(`${index}: two user messages in a row`);
    } else if (message.role === 'tool') {
      if (messages[index - 1]?.role !== 'assistant') faults.push(`${index}: results without an answer before them`);
      if (message.results.length === 0) faults.push(`${index}: no results`);
    } else {
      const calls = message.content.filter((item) => item.type === 'tool-call');
      const results = next?.role === 'tool' ? next.results : [];
      const key = (item: { callId: string; name: string }) => `${item.callId} ${item.name}`;
      if (calls.map(key).join('\n') !== results.map(key).join('\n')) {
        faults.push(`${index}: calls [${calls.map(key)}] have results [${results.map(key)}]`);
      }
      for (const { callId, name, args } of calls) {
        if (ids.has(callId)) faults.push(`${index}: id ${callId} twice`);
        ids.add(callId);
        if (!/^[A-Za-z0-9_-]{1,64}$/.test(callId)) faults.push(`${index}: bad id ${callId}`);
        if (!/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name)) faults.push(`${index}: bad name ${name}`);
        if (typeof args !== 'object' || args === null || Array.isArray(args)) faults.push(`${index}: bad arguments`);
      }
      if (message.content.length === 0) faults.push(`${index}: empty answer`);
      for (const item of message.content) {
        if (item.type === 'text' && item.text.trim() === '' && item.providerData === undefined) {
          faults.push(`${index}: empty text`);
        }
      }
      if (message.content.at(-1)?.type === 'reasoning' && next)
        faults.push(`${index}: reasoning without what it led to`);
      if (next?.role === 'assistant') faults.push(`${index}: two answers in a row`);
    }
  });
  return faults;
}
