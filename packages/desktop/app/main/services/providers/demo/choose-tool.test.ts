import { describe, expect, it } from 'vitest';
import { chooseTools, displayName, stepsOf } from './choose-tool.ts';
import { toolNamed, toolsOf } from './test-support.ts';

const all = toolsOf('files', 'everything', 'memory');
const plan = (message: string, tools = all) =>
  chooseTools(tools, message).map(({ tool, args, missing }) => [
    tool.function.name.replace(/^mcp__\w+?__/, ''),
    missing.length > 0 ? { missing } : args,
  ]);

describe('with the tools of the published servers', () => {
  it.each<[string, ...[string, unknown][]]>([
    ['read welcome.md', ['read_text_file', { path: 'welcome.md' }]],
    ['Please read the file welcome.md.', ['read_text_file', { path: 'welcome.md' }]],
    ['Can you open recipes/pancakes.md?', ['read_text_file', { path: 'recipes/pancakes.md' }]],
    ['Read /etc/passwd', ['read_text_file', { path: '/etc/passwd' }]],
    ['Read ../../../etc/passwd', ['read_text_file', { path: '../../../etc/passwd' }]],
    ['please read notes/LICENSE', ['read_text_file', { path: 'notes/LICENSE' }]],
    ['show me todo.txt', ['read_text_file', { path: 'todo.txt' }]],
    ["what's in notes.md?", ['read_text_file', { path: 'notes.md' }]],
    ['What does /home/ann/My_Data/a-b.txt say?', ['read_text_file', { path: '/home/ann/My_Data/a-b.txt' }]],
    ['read "my shopping list.txt"', ['read_text_file', { path: 'my shopping list.txt' }]],
    ['read C:\\Users\\Ann\\notes.txt', ['read_text_file', { path: 'C:\\Users\\Ann\\notes.txt' }]],
    ['read the first 3 lines of welcome.md', ['read_text_file', { path: 'welcome.md', head: 3 }]],
    ['show the last 5 lines of todo.txt', ['read_text_file', { path: 'todo.txt', tail: 5 }]],
    ['welcome.md を読んでください', ['read_text_file', { path: 'welcome.md' }]],
    ['welcome.mdを読んで', ['read_text_file', { path: 'welcome.md' }]],
    ['прочитай файл 天気.txt', ['read_text_file', { path: '天気.txt' }]],
    ['welcome.md 읽어줘', ['read_text_file', { path: 'welcome.md' }]],
    ['lies bitte welcome.md', ['read_text_file', { path: 'welcome.md' }]],
    ['show me the picture cat.png', ['read_media_file', { path: 'cat.png' }]],
    ['list the files', ['list_directory', { path: '.' }]],
    ['Which files are there?', ['list_directory', { path: '.' }]],
    ['what files do you have', ['list_directory', { path: '.' }]],
    ['What is in the folder recipes?', ['list_directory', { path: 'recipes' }]],
    ['list the directory recipes/', ['list_directory', { path: 'recipes/' }]],
    ['show the files in the recipes folder', ['list_directory', { path: 'recipes' }]],
    ['show the directory tree', ['directory_tree', { path: '.' }]],
    ['list the directory with sizes sorted by size', ['list_directory_with_sizes', { path: '.', sortBy: 'size' }]],
    ['which directories are allowed?', ['list_allowed_directories', {}]],
    ['find all csv files', ['search_files', { path: '.', pattern: '**/*.csv' }]],
    ['search for files matching *.md', ['search_files', { path: '.', pattern: '*.md' }]],
    ['search files for pancake', ['search_files', { path: '.', pattern: '**/*pancake*' }]],
    ['write "hello there" to greeting.txt', ['write_file', { path: 'greeting.txt', content: 'hello there' }]],
    [
      'create a file test.txt with the text good morning',
      ['write_file', { path: 'test.txt', content: 'good morning' }],
    ],
    ['create the directory holiday/photos', ['create_directory', { path: 'holiday/photos' }]],
    ['move a.txt to b.txt', ['move_file', { source: 'a.txt', destination: 'b.txt' }]],
    ['rename old.md to new.md', ['move_file', { source: 'old.md', destination: 'new.md' }]],
    [
      'replace "cat" with "dog" in pets.txt',
      ['edit_file', { path: 'pets.txt', edits: [{ oldText: 'cat', newText: 'dog' }] }],
    ],
    ['get info about welcome.md', ['get_file_info', { path: 'welcome.md' }]],
    ['add 2 and 3', ['get-sum', { a: 2, b: 3 }]],
    ['What is the sum of -4 and 2.5?', ['get-sum', { a: -4, b: 2.5 }]],
    ['7 + 8', ['get-sum', { a: 7, b: 8 }]],
    ['echo hello', ['echo', { message: 'hello' }]],
    ['echo "read welcome.md"', ['echo', { message: 'read welcome.md' }]],
    ['Please echo こんにちは 世界', ['echo', { message: 'こんにちは 世界' }]],
    ['echo back: one, two; three', ['echo', { message: 'one, two; three' }]],
    ['show the environment variables', ['get-env', {}]],
    ['show me the tiny image', ['get-tiny-image', {}]],
    ['get structured content for Chicago', ['get-structured-content', { location: 'Chicago' }]],
    ['get an annotated error message', ['get-annotated-message', { messageType: 'error' }]],
    [
      'trigger a long running operation, duration 2, steps 4',
      ['trigger-long-running-operation', { duration: 2, steps: 4 }],
    ],
    ['read the knowledge graph', ['read_graph', {}]],
    ['search nodes for "Ann"', ['search_nodes', { query: 'Ann' }]],
    ['delete the entities "Ann" and "Bob"', ['delete_entities', { entityNames: ['Ann', 'Bob'] }]],
    ['ls', ['list_directory', { path: '.' }]],
    ['ファイルの一覧を見せて', ['list_directory', { path: '.' }]],
    ['Read all the files', ['list_directory', { path: '.' }]],
    ['Use list_directory with path "recipes"', ['list_directory', { path: 'recipes' }]],
    ['read_text_file path=welcome.md head=2', ['read_text_file', { path: 'welcome.md', head: 2 }]],
    ['Read welcome.md and tell me what it says', ['read_text_file', { path: 'welcome.md' }]],
    ['How big is welcome.md?', ['get_file_info', { path: 'welcome.md' }]],
    ['When was welcome.md modified?', ['get_file_info', { path: 'welcome.md' }]],
    ['Find the file pancakes.md', ['search_files', { path: '.', pattern: '**/pancakes.md' }]],
    ['find all text files', ['search_files', { path: '.', pattern: '**/*.txt' }]],
    ['write hello to a new file called hi.txt', ['write_file', { path: 'hi.txt', content: 'hello' }]],
    ['Say good morning', ['echo', { message: 'good morning' }]],
    ['repeat after me: I like tea', ['echo', { message: 'I like tea' }]],
    ['echo welcome.md', ['echo', { message: 'welcome.md' }]],
    ['add 2', ['get-sum', { missing: ['b'] }]],
    [
      'read welcome.md and todo.txt',
      ['read_text_file', { path: 'welcome.md' }],
      ['read_text_file', { path: 'todo.txt' }],
    ],
    ['write "salt and pepper" to spices.txt', ['write_file', { path: 'spices.txt', content: 'salt and pepper' }]],
  ])('%s', (message, ...expected) => {
    expect(plan(message)).toEqual(expected);
  });

  it.each([
    'hello',
    'How are you?',
    'Tell me a joke',
    'who are you',
    '',
    '   ',
    '???',
    '😀',
    'こんにちは',
    'Why is the sky blue?',
    'list the tools',
    'What can you do?',
    'delete welcome.md',
    'append "x" to y.txt',
    'open https://example.com/',
    '!'.repeat(5000),
  ])('finds nothing for %j', (message) => {
    expect(plan(message)).toEqual([]);
  });

  it.each(['files, files, files', 'my file', 'welcome.md', 'look at the directory', 'the entities', 'todo.txt?'])(
    'never chooses what changes something for %j',
    (message) => {
      for (const [name] of plan(message)) expect(name).not.toMatch(/write|edit|create|move|delete|add_|toggle|trigger/);
    },
  );
});

describe('with the agent’s own tools', () => {
  it.each<[string, ...[string, unknown][]]>([
    ['Read src/price.mjs', ['Read', { path: 'src/price.mjs' }]],
    ['What is in README.md?', ['Read', { path: 'README.md' }]],
    ['read the first 3 lines of README.md', ['Read', { path: 'README.md', limit: 3 }]],
    ['List the files', ['ListDir', {}]],
    ['list the folder src/', ['ListDir', { path: 'src/' }]],
    ['Find the files **/*.mjs', ['Glob', { pattern: '**/*.mjs' }]],
    ['find price.test.mjs', ['Glob', { pattern: '**/price.test.mjs' }]],
    ['Search for `total(items)`', ['Grep', { pattern: 'total\\(items\\)' }]],
    ['grep "total" in src/', ['Grep', { pattern: 'total', path: 'src/' }]],
    ['Write "hello" to notes.txt', ['Write', { path: 'notes.txt', content: 'hello' }]],
    [
      'replace `price + count` with `price * count` in src/price.mjs',
      ['Edit', { path: 'src/price.mjs', old_text: 'price + count', new_text: 'price * count' }],
    ],
    ['run `node test/price.test.mjs`', ['Bash', { command: 'node test/price.test.mjs' }]],
    ['Run its tests with `npm test`', ['Bash', { command: 'npm test' }]],
    ['run node --test', ['Bash', { command: 'node --test' }]],
    ['Run the tests', ['Bash', { missing: ['command'] }]],
    ['Fetch https://example.com/', ['WebFetch', { url: 'https://example.com/' }]],
    ['Connect the server "scenario"', ['connect_mcp', { name: 'scenario' }]],
  ])('%s', (message, ...expected) => {
    expect(plan(message, toolsOf('agent'))).toEqual(expected);
    // Servers that can do the same don't come before them.
    expect(plan(message, [...all, ...toolsOf('agent')])).toEqual(expected);
  });

  it.each(['Fix the failing test', 'delete a.txt', 'Commit the change', 'hello', 'which commands are there?'])(
    'finds nothing for %j',
    (message) => {
      expect(plan(message, toolsOf('agent'))).toEqual([]);
    },
  );
});

describe('stepsOf', () => {
  it.each<[string, ...string[]]>([
    ['read a.md', 'read a.md'],
    [
      'Read a.md, then run `x; then y` and then write "b" to c.md.',
      'Read a.md',
      'run `x; then y`',
      'write "b" to c.md.',
    ],
    ['Read a.md. Then read b.md; read c.md', 'Read a.md', 'read b.md', 'read c.md'],
    ['1. read a.md\n2) run `ls`\n\n- list the files\n', 'read a.md', 'run `ls`', 'list the files'],
    ['strengthen it', 'strengthen it'],
  ])('%s', (message, ...steps) => {
    expect(stepsOf(message)).toEqual(steps);
  });
});

describe('with other tools', () => {
  it('compares words of any script', () => {
    const tools = [
      toolNamed('mcp__w__a1', '今日の天気を調べる', { city: { type: 'string' } }, ['city']),
      toolNamed('mcp__w__a2', '為替レートを計算する', { amount: { type: 'number' } }, ['amount']),
    ];
    expect(plan('「東京」の天気は?', tools)).toEqual([['a1', { city: '東京' }]]);
    expect(plan('100 ドルの為替レート', tools)).toEqual([['a2', { amount: 100 }]]);
  });

  it('fills every kind of argument', () => {
    const properties = {
      link: { type: 'string', format: 'uri' },
      mode: { type: 'string', enum: ['fast', 'very slow'] },
      deep: { type: 'boolean' },
      limit: { type: ['integer', 'null'] },
      fixed: { const: 'v1' },
      tags: { type: 'array', items: { type: 'string' } },
      options: {
        type: 'object',
        properties: { x: { anyOf: [{ type: 'number' }, { type: 'null' }] } },
        required: ['x'],
      },
      note: { type: 'string' },
      __proto__: { type: 'string' },
    };
    const tool = toolNamed('crawl', 'Crawl a website', properties, [
      'link',
      'mode',
      'deep',
      'fixed',
      'tags',
      'options',
    ]);
    expect(
      plan('crawl https://h.example/a?b=c, deep and very slow, limit 7, x 3, tags "a" and "b", note=hi', [tool]),
    ).toEqual([
      [
        'crawl',
        {
          link: 'https://h.example/a?b=c',
          mode: 'very slow',
          deep: true,
          limit: 7,
          fixed: 'v1',
          tags: ['a', 'b'],
          options: { x: 3 },
          note: 'hi',
        },
      ],
    ]);
    expect(plan('crawl the website', [tool])).toEqual([['crawl', { missing: ['link', 'options'] }]]);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['text', 'x'],
    ['a list', []],
    ['odd properties', { type: 'object', properties: { a: null, b: true, c: 7 }, required: ['a', 'b', 5] }],
    ['no properties', {}],
    [
      'itself',
      (() => {
        const s: Record<string, unknown> = { type: 'object', required: ['a'] };
        s.properties = { a: { type: 'array', items: { type: 'string' } } };
        return s;
      })(),
    ],
  ])('stands a schema that is %s', (_, parameters) => {
    const tool = toolNamed('echo', 'Echoes');
    tool.function.parameters = parameters as never;
    expect(() => plan('echo hello', [tool])).not.toThrow();
  });

  it('copes with hundreds of tools and a long message', () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      toolNamed(`mcp__s__tool_${n}`, `Does the thing number ${n}. `.repeat(40)),
    );
    const start = performance.now();
    expect(plan(`read welcome.md ${'and so on '.repeat(3000)}`, [...many, ...all])).toBeDefined();
    expect(performance.now() - start).toBeLessThan(8000);
  });
});

describe('displayName', () => {
  it.each([
    ['mcp__files__read_text_file', 'read_text_file of files'],
    ['mcp__my_notes__a__b', 'a__b of my_notes'],
    ['plain', 'plain'],
    // "日本語", "日本 files", and "файлы" with "чтение"
    ['mcp_______get-sum_2778f041', 'get-sum'],
    ['mcp_____files__get-sum_2778f041', 'get-sum of files'],
    ['mcp_____________________2778f041', 'mcp_____________________2778f041'],
    ['mcp__my_server__read__all_0a1b2c3d', 'read__all of my_server'],
    ['mcp__', 'mcp__'],
  ])('%s', (wireName, shown) => {
    expect(displayName(wireName)).toBe(shown);
  });
});
