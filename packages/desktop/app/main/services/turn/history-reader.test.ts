import { describe, expect, it } from 'vitest';
import { seeded } from './__fixtures__/random.ts';
import { randomRows } from './__fixtures__/random-rows.ts';
import { assistantRow, ScriptedTools, textResult, userRow } from './__fixtures__/scripted.ts';
import { HistoryReader } from './history-reader.ts';
import { repairHistory } from './repair-history.ts';
import { isSummary, viewConversation } from './summary-view.ts';
import { toModelMessages } from './to-model-messages.ts';

const origin = { providerId: 'scripted', modelId: 'm' };
const tools = new ScriptedTools({});
const toolSet = (prefix: string) => ({ wireName: (_serverId: string, toolName: string) => `${prefix}_${toolName}` });

describe('HistoryReader', () => {
  it('reads a growing conversation as if it read it anew each time', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const random = seeded(seed);
      const all = randomRows(random);
      for (const row of all) {
        for (const part of row.parts)
          if (part.type === 'tool') Object.assign(part, { serverId: 's', toolName: 'read' });
      }
      const reader = new HistoryReader(origin, tools);
      let prefix = 'a';
      let window: number | undefined;
      for (let length = 1; length <= all.length; length++) {
        if (random() < 0.1) prefix = random() < 0.5 ? 'a' : 'b';
        if (random() < 0.1) window = random() < 0.5 ? undefined : 3000;
        const rows = all.slice(0, length);
        if (length > 4 && random() < 0.2) {
          all.splice(length - 1, 0, summary(Math.floor(random() * length)));
          rows[length - 1] = all[length - 1]!;
        }
        reader.prepare(toolSet(prefix), window);
        const resultForModel = tools.resultForModel;
        const expected = repairHistory(
          toModelMessages(rows, { reader: origin, window, resultForModel, ...toolSet(prefix) }),
        );
        expect(
          reader.read(viewConversation(rows, rows.findLast(isSummary), window)),
          `seed ${seed}, ${length} rows`,
        ).toEqual(expected);
      }
    }
  });

  it('reads a row that is finished once, and one that is being written each time', () => {
    let read = 0;
    const counting = new HistoryReader(origin, {
      resultForModel: (response) => {
        read++;
        return tools.resultForModel(response);
      },
    });
    counting.prepare(toolSet('a'), undefined);
    const part = { type: 'tool' as const, callId: 'c', wireName: 'f', args: {}, state: 'done' as const };
    const row = assistantRow([{ ...part, result: textResult('r') }]);
    const view = viewConversation([userRow('go'), row], undefined, undefined);
    counting.read(view);
    counting.read(view);
    expect(read).toBe(2);
    row.status = 'complete';
    const history = counting.read(view);
    expect(counting.read(view)).toEqual(history);
    expect(read).toBe(3);
    expect(counting.tokensOf(row)).toBe(counting.tokensOf(row));
  });
});

const summary = (rows: number) =>
  assistantRow([{ type: 'summary', text: `Summary of ${rows}`, rows, tokensBefore: 1 }], { status: 'complete' });
