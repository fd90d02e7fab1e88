/** Tools as published servers describe them: what zod and pydantic make of arguments, about 1 kB each. */

const string = (description, more) => ({ type: 'string', description, ...more });
const optional = (schema, title) => ({ anyOf: [schema, { type: 'null' }], default: null, title });
const tool = (name, description, properties, required, more) => ({
  name,
  description,
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties,
    required,
    ...more,
  },
});

const KINDS = [
  (noun) =>
    tool(
      `list_${noun}s`,
      `List ${noun}s that match all given conditions, newest first. Use \`cursor\` of the last answer for the next page.`,
      {
        query: string('Words to look for', { minLength: 1, maxLength: 300 }),
        conditions: {
          type: 'array',
          maxItems: 10,
          description: 'All of them must hold',
          items: {
            type: 'object',
            properties: {
              field: string('Name of the field', { enum: ['state', 'owner', 'label', 'created', 'updated'] }),
              operator: { type: 'string', enum: ['=', '!=', '<', '<=', '>', '>=', 'contains'] },
              value: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }] },
            },
            required: ['field', 'operator', 'value'],
            additionalProperties: false,
          },
        },
        between: {
          type: 'object',
          properties: { from: { type: 'string', format: 'date-time' }, to: { type: 'string', format: 'date-time' } },
          additionalProperties: false,
        },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
        cursor: optional({ type: 'string' }, 'Cursor'),
      },
      ['query'],
      { additionalProperties: false },
    ),
  (noun) =>
    tool(
      `create_${noun}`,
      `Create a ${noun} and return its number and address. Needs the right to write.`,
      {
        title: string(`What the ${noun} is about`, { maxLength: 250 }),
        body: string('Text in Markdown'),
        labels: { type: 'array', items: { type: 'string' }, uniqueItems: true },
        assignees: { type: 'array', items: { $ref: '#/$defs/Person' } },
        reviewer: { $ref: '#/$defs/Person' },
        fields: { type: 'object', additionalProperties: { type: 'string' } },
        due: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'date' }, date: { type: 'string', format: 'date' } },
              required: ['kind', 'date'],
            },
            {
              type: 'object',
              properties: {
                kind: { const: 'in' },
                amount: { type: 'integer', exclusiveMinimum: 0 },
                unit: { type: 'string', enum: ['hours', 'days', 'weeks'] },
              },
              required: ['kind', 'amount', 'unit'],
            },
          ],
        },
      },
      ['title'],
      {
        $defs: {
          Person: {
            type: 'object',
            properties: {
              login: string('Login name'),
              role: { type: 'string', enum: ['owner', 'reviewer', 'watcher'], default: 'watcher' },
            },
            required: ['login'],
          },
        },
      },
    ),
  (noun) =>
    tool(
      `update_${noun}`,
      `Change some fields of a ${noun}; what is left out stays as it is.`,
      {
        number: { type: 'integer', minimum: 1, description: `Number of the ${noun}` },
        title: optional({ type: 'string', maxLength: 250 }, 'Title'),
        state: { type: ['string', 'null'], enum: ['open', 'closed', null], default: null },
        priority: optional({ type: 'integer', minimum: 1, maximum: 5 }, 'Priority'),
        position: {
          type: 'object',
          properties: { before: { type: 'integer' }, after: { type: 'integer' } },
          minProperties: 1,
        },
      },
      ['number'],
    ),
  (noun) =>
    tool(`get_${noun}`, `Read one ${noun} with its comments.`, { number: { type: 'integer', minimum: 1 } }, ['number']),
];

const NOUNS = 'issue event page order ticket contact invoice branch message report project release'.split(' ');

/** `count` tools that all differ, in the form of `tools/list`. */
export const generatedTools = (count) =>
  Array.from({ length: count }, (_, i) => {
    const kind = KINDS[i % KINDS.length];
    const turn = Math.floor(i / KINDS.length);
    const round = Math.floor(turn / NOUNS.length);
    return kind(`${NOUNS[turn % NOUNS.length]}${round === 0 ? '' : `_${round}`}`);
  });

const FIRST = [
  tool('echo', 'Answers with the text.', { text: { type: 'string' } }, ['text']),
  tool('blob', 'Answers with a long text.', { bytes: { type: 'integer' } }, ['bytes']),
  tool('count_messages', 'Answers with the number of messages that the server has received.', {}, []),
  tool('change_list', 'Says that the list of tools has changed.', {}, []),
];

/** The tools of a bench server: those that it has a use for, and others. `count` is at least 4. */
export const serverTools = (count) => [...FIRST, ...generatedTools(count - FIRST.length)];
