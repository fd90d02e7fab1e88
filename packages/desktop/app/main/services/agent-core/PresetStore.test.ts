import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AgentPreset, agentPresetSchema } from '@shared/contracts/agent-types.ts';
import type { AppEvent } from '@shared/contracts/index.ts';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../platform/storage/test-disks.ts';
import { memoryStore, silentLogger } from '../capabilities/tools/mcp-users/__fixtures__/pool.ts';
import { AppError } from '../ports/errors.ts';
import { preset } from './__fixtures__/runs.ts';
import { PresetStore } from './PresetStore.ts';

const SHIPPED = fileURLToPath(new URL('../../../../../../resources/presets', import.meta.url));

function open(document = memoryStore(), folder = SHIPPED) {
  const events: AppEvent[] = [];
  const skipped: string[][] = [];
  const presets = new PresetStore({
    document,
    folder,
    events: { emit: (event) => events.push(event) },
    logger: silentLogger,
    onSkipped: (names) => skipped.push(names),
  });
  return { presets, document, events, skipped };
}
const draft = (name: string) => {
  const { id: _id, shipped: _shipped, ...values } = preset({ name });
  return values;
};
const names = (presets: AgentPreset[]) => presets.map(({ name }) => name);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('PresetStore', () => {
  it('has three that come with the app, and they are valid', () => {
    const shipped = open().presets.list();
    expect(names(shipped)).toEqual(['Assistant', 'Coder', 'Researcher']);
    for (const one of shipped) expect(agentPresetSchema.parse(one)).toMatchObject({ shipped: true, mode: 'ask' });
    const [assistant, coder, researcher] = shipped as [AgentPreset, AgentPreset, AgentPreset];
    expect(assistant.mcpTools).toBe(true);
    expect(assistant.tools).not.toContain('Write');
    expect(coder.tools).toEqual(expect.arrayContaining(['Read', 'Write', 'Edit', 'Bash']));
    expect(researcher).toMatchObject({ servers: ['memory'], mcpTools: false });
    expect(researcher.tools).toEqual(expect.arrayContaining(['WebFetch', 'Read']));
    for (const changing of ['Write', 'Edit', 'Bash']) expect(researcher.tools).not.toContain(changing);
  });

  it('keeps the person’s own over a restart, by name behind the app’s', () => {
    const { presets, document, events } = open();
    const zebra = presets.save(draft('Zebra'));
    const apple = presets.save(draft('apple'));
    expect(zebra).toMatchObject({ name: 'Zebra', shipped: false });
    expect(zebra.id).not.toBe(apple.id);
    expect(presets.save({ ...draft('Zebra 2'), id: zebra.id }).id).toBe(zebra.id);
    expect(names(presets.list())).toEqual(['Assistant', 'Coder', 'Researcher', 'apple', 'Zebra 2']);
    expect(open(document).presets.list()).toEqual(presets.list());
    presets.remove(apple.id);
    expect(names(open(document).presets.list()).slice(3)).toEqual(['Zebra 2']);
    expect(events.map(({ type }) => type)).toEqual(Array(4).fill('agent.presetsChanged'));
    expect(events.at(-1)).toMatchObject({ payload: { presets: presets.list() } });
  });

  it('refuses names that are taken, unknown presets, and changes of the app’s', () => {
    const { presets, document } = open();
    const { id } = presets.save(draft('Mine'));
    const before = document.text();
    expect(() => presets.save(draft('mine'))).toThrow(code('name-taken'));
    expect(() => presets.save(draft('CODER'))).toThrow(code('name-taken'));
    expect(() => presets.save({ ...draft('Coder'), id })).toThrow(code('name-taken'));
    expect(() => presets.save({ ...draft('Other'), id: 'coder' })).toThrow(code('forbidden'));
    expect(() => presets.remove('coder')).toThrow(code('forbidden'));
    expect(() => presets.save({ ...draft('Other'), id: 'gone' })).toThrow(code('not-found'));
    expect(() => presets.remove('gone')).toThrow(code('not-found'));
    expect(() => presets.get('gone')).toThrow(code('not-found'));
    expect(document.text()).toBe(before);
  });

  it('changes nothing when the disk refuses', () => {
    const { presets, document, events } = open();
    document.write = () => {
      throw new AppError('store-failed', 'Disk full.');
    };
    expect(() => presets.save(draft('Mine'))).toThrow(code('store-failed'));
    expect(presets.list()).toHaveLength(3);
    expect(events).toEqual([]);
  });

  it('leaves what it can’t read in the store, and names it', () => {
    const future = { name: 'From the future', wings: 2 };
    const good = preset({ id: 'good', name: 'Good', shipped: true });
    const { presets, document, skipped } = open(memoryStore({ version: 1, presets: [future, good, 7] }));
    expect(skipped).toEqual([['From the future', '?']]);
    // Only the app's own can't be changed, whatever the file says.
    expect(presets.get('good').shipped).toBe(false);
    presets.save(draft('New'));
    expect(JSON.parse(document.text()).presets).toEqual(expect.arrayContaining([future, 7]));
    expect(open(memoryStore({ version: 9 })).presets.list()).toHaveLength(3);
  });

  it('says at once when a preset of the app is broken', () => {
    using temp = temporaryFolder();
    const folder = join(temp.folder, 'presets');
    mkdirSync(folder);
    writeFileSync(join(folder, 'a.json'), '{"id":"a"}');
    expect(() => open(memoryStore(), folder)).toThrow();
  });
});
