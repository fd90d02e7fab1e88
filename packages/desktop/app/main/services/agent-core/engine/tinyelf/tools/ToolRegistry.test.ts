import { describe, expect, it } from 'vitest';
import { tool } from '../../../__fixtures__/runs.ts';
import { ToolRegistry } from './ToolRegistry.ts';

const registryOf = (...names: string[]) => {
  const registry = new ToolRegistry();
  registry.registerAll(names.map((name) => tool(name)));
  return registry;
};

describe('ToolRegistry', () => {
  it('registers, finds and unregisters by name, in the order of registration', () => {
    const registry = registryOf('Read', 'Write');
    const grep = tool('Grep');
    expect(registry.register(grep)).toBe(true);
    expect(registry.getNames()).toEqual(['Read', 'Write', 'Grep']);
    expect(registry.getAll().map(({ name }) => name)).toEqual(registry.getNames());
    expect(registry.get('Grep')).toBe(grep);
    expect([registry.has('Grep'), registry.has('grep')]).toEqual([true, false]);
    expect(registry.get('constructor')).toBeUndefined();
    expect([registry.unregister('Read'), registry.unregister('Read')]).toEqual([true, false]);
    expect(registry.getNames()).toEqual(['Write', 'Grep']);
  });

  it('refuses a name that is taken, keeps the earlier tool and reports both', () => {
    const [first, second] = [tool('Read'), tool('Read')];
    const registry = new ToolRegistry();
    registry.registerAll([first, second, tool('Write')]);
    expect(registry.register(second)).toBe(false);
    expect(registry.get('Read')).toBe(first);
    expect(registry.getNames()).toEqual(['Read', 'Write']);
    expect(registry.collisions).toEqual([
      { kept: first, refused: second },
      { kept: first, refused: second },
    ]);
    // The same tool again is no collision, and a name that is free again can be taken.
    expect(registry.register(first)).toBe(true);
    registry.unregister('Read');
    expect(registry.register(second)).toBe(true);
    expect(registry.collisions).toHaveLength(2);
  });

  it('gives definitions in OpenAI’s form, converted like those of servers', () => {
    const registry = new ToolRegistry();
    registry.register(tool('Bash', { parameters: { type: 'object', properties: { command: { type: 'string' } } } }));
    registry.register(tool('Bare', { parameters: {} }));
    expect(registry.getDefinitions()).toEqual([
      {
        type: 'function',
        function: {
          name: 'Bash',
          description: 'Does Bash',
          parameters: { type: 'object', properties: { command: { type: 'string' } }, required: [] },
        },
      },
      {
        type: 'function',
        function: {
          name: 'Bare',
          description: 'Does Bare',
          parameters: { type: 'object', properties: {}, required: [] },
        },
      },
    ]);
  });

  it('makes a filtered registry of its own', () => {
    const registry = registryOf('Read', 'Write', 'Bash');
    const filtered = registry.createFiltered(['Bash', 'Read', 'NoSuchTool']);
    expect(filtered.getNames()).toEqual(['Read', 'Bash']);
    filtered.unregister('Bash');
    filtered.register(tool('Other'));
    expect(registry.getNames()).toEqual(['Read', 'Write', 'Bash']);
    expect(registry.createFiltered([]).getAll()).toEqual([]);
  });
});
