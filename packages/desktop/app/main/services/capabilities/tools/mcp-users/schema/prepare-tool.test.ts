import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { prepareTool, processSchema } from './prepare-tool.ts';
import { FORMATS, makeTool } from './test-support.ts';

const openai = (schema: unknown) => prepareTool('openai', makeTool(schema));
const anthropic = (schema: unknown) => prepareTool('anthropic', makeTool(schema));
const gemini = (schema: unknown) => prepareTool('google', makeTool(schema));
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('keywords that Gemini does not know (C1)', () => {
  const prepared = gemini({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      city: { type: 'string', default: 'Oslo', minLength: 1 },
      link: { type: 'string', format: 'uri', description: 'Where to' },
      n: { type: 'integer', exclusiveMinimum: 0 },
      deep: {
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string', pattern: '^a' } }, additionalProperties: false },
      },
    },
    required: ['city'],
    additionalProperties: false,
  });

  it('go into words at the place where they were', () => {
    expect(prepared.schema).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1, description: 'default "Oslo"' },
        link: { type: 'string', description: 'Where to (format uri)' },
        n: { type: 'integer', description: 'greater than 0' },
        deep: {
          type: 'array',
          items: { type: 'object', properties: { k: { type: 'string', description: 'matches ^a' } } },
        },
      },
      required: ['city'],
    });
  });

  it('say nothing in the description of the tool', () => expect(prepared.description).toBe('Does it.'));

  it.each([
    [{ type: 'string', pattern: '^a', contentEncoding: 'base64' }, 'matches ^a; encoded as base64'],
    [{ type: 'number', exclusiveMaximum: 3, multipleOf: 0.5 }, 'less than 3; a multiple of 0.5'],
    [{ type: 'boolean', const: true }, 'always true'],
    [
      { type: 'boolean', default: false, examples: [true], deprecated: true },
      'default false; for example true; deprecated',
    ],
    [
      { type: 'array', items: { type: 'string' }, uniqueItems: true, contains: { const: 'x' } },
      'no item twice; contains an item of the form "x"',
    ],
    [
      object(
        { a: { type: 'string' }, b: {} },
        { dependentRequired: { a: ['b'] }, additionalProperties: { type: 'integer' } },
      ),
      'other keys: integer; with "a" also give "b"',
    ],
    [
      object({ a: { type: 'string' } }, { patternProperties: { '^x': { type: 'string' } } }),
      'keys that match ^x: string',
    ],
    [object({ a: { type: 'string' } }, { propertyNames: { pattern: '^[a-z]+$' } }), 'keys: matches ^[a-z]+$'],
    [object({ a: { type: 'string' } }, { not: { required: ['a'] } }), 'not allowed: "a" is given'],
    [
      object(
        { a: { enum: ['x', 'y'] }, b: { type: 'string' } },
        { if: object({ a: { const: 'x' } }), else: { required: ['b'] } },
      ),
      'if "a" is "x", otherwise "b" is given',
    ],
  ])('%j', (schema, words) => expect(gemini(object({ v: schema })).schema.properties.v.description).toBe(words));
});

describe('null and several types (C2)', () => {
  const schema = object({
    langs: { type: ['array', 'null'], items: { type: 'string' } },
    rows: { type: 'array', items: { type: ['object', 'null'], properties: { v: true } } },
    q: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, description: 'Lucene query' },
    id: { type: ['string', 'integer'], description: 'Id', minLength: 2, minimum: 1 },
    nested: { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { oneOf: [{ type: 'boolean' }] }] },
  });

  it('become one type and nullable, or a union, on Gemini', () => {
    expect(gemini(schema).schema.properties).toEqual({
      langs: { type: 'array', items: { type: 'string' }, nullable: true },
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: { v: { type: 'string', description: 'Any JSON value, as JSON text' } },
          nullable: true,
        },
      },
      q: { type: 'string', description: 'Lucene query', nullable: true },
      id: {
        anyOf: [
          { type: 'string', minLength: 2, description: 'Id' },
          { type: 'integer', minimum: 1 },
        ],
      },
      nested: { anyOf: [{ type: 'string', nullable: true }, { type: 'boolean' }] },
    });
  });

  it('stay as they are where JSON Schema is spoken', () => {
    const { properties } = anthropic(schema).schema;
    expect(properties.langs.type).toEqual(['array', 'null']);
    expect(properties.rows.items.properties.v).toEqual({});
    expect(properties.q).toEqual((schema.properties as Record<string, unknown>).q);
  });

  it("OpenAPI's nullable becomes null among the types", () => {
    const { properties } = openai(object({ a: { type: 'string', nullable: true, enum: ['x'] } })).schema;
    expect(properties.a).toEqual({ type: ['string', 'null'], enum: ['x', null] });
  });
});

describe('references (C3)', () => {
  it('are replaced by what they point to, merged with what stands beside them', () => {
    const { properties } = openai(
      object(
        {
          a: { type: 'string', minLength: 2, description: 'A' },
          b: { $ref: '#/properties/a', description: 'B', maxLength: 5 },
          u: { anyOf: [{ $ref: '#/$defs/P' }, { type: 'null' }] },
        },
        { $defs: { P: object({ x: { type: 'number' } }) } },
      ),
    ).schema;
    expect(properties.b).toEqual({ type: 'string', minLength: 2, maxLength: 5, description: 'B' });
    expect(properties.u).toEqual({ anyOf: [object({ x: { type: 'number' } }), { type: 'null' }] });
  });

  it.each(FORMATS)('that recur end in an open schema with a note, on %s', (format) => {
    const tree = object({
      nodes: {
        type: 'array',
        items: object({ id: { type: 'string' }, kids: { type: 'array', items: { $ref: '#/properties/nodes/items' } } }),
      },
    });
    const text = JSON.stringify(prepareTool(format, makeTool(tree)).schema);
    expect(text).toContain('Same shape as items above');
    expect(text).not.toContain('$ref');
    const loop = object({ a: { $ref: '#/$defs/A' } }, { $defs: { A: { $ref: '#/$defs/A' } } });
    expect(JSON.stringify(prepareTool(format, makeTool(loop)).schema)).not.toContain('$ref');
  });

  it.each(['http://example.test/x.json', 'other.json#/a', '#/$defs/gone', '#nowhere', '#/$defs/%'])(
    'to %s allow anything and give a warning',
    ($ref) => {
      const prepared = openai(object({ a: { $ref, description: 'Text' } }));
      expect(prepared.schema.properties.a).toEqual({ description: 'Text' });
      expect(prepared.warnings).toHaveLength(1);
      expect(prepared.warnings[0]).toContain($ref);
    },
  );

  it('in a name are no references', () => {
    const schema = object({ $ref: { type: 'string' }, d: { type: 'string', enum: ['$ref'], default: { $ref: '#' } } });
    expect(openai(schema).schema.properties).toEqual(schema.properties);
  });
});

describe('shapes (C4, C5)', () => {
  const schema = object(
    {
      opts: object({}),
      list: { type: 'array' },
      grid: { type: 'array', items: { type: 'array' } },
      mode: { enum: ['x', 'y'] },
    },
    { required: ['gone', 'mode'] },
  );

  it('on Gemini: items at each depth, types inferred, empty objects as JSON text that is read again', () => {
    const prepared = gemini(schema);
    const any = { type: 'string', description: 'Any JSON value, as JSON text' };
    expect(prepared.schema).toEqual({
      type: 'object',
      properties: {
        opts: { type: 'string', description: 'A JSON object, as JSON text, of the form {[key: string]: any}' },
        list: { type: 'array', items: any },
        grid: { type: 'array', items: { type: 'array', items: any } },
        mode: { type: 'string', enum: ['x', 'y'] },
      },
      required: ['mode'],
    });
    expect(prepared.warnings).toEqual(['Required but not defined: gone.']);
    expect(prepared.restore({ opts: '{"a":1}', list: ['1', '"b"', 'c'], mode: 'x' })).toEqual({
      opts: { a: 1 },
      list: [1, 'b', 'c'],
      mode: 'x',
    });
    expect(prepared.restore({ opts: 'not JSON', list: '[1]' })).toEqual({ opts: 'not JSON', list: '[1]' });
    expect(prepared.restore({ opts: { a: 1 } })).toEqual({ opts: { a: 1 } });
  });

  it('on OpenAI: every array has items, an object without properties is open', () => {
    const { properties } = openai(
      object({
        list: { type: 'array' },
        bare: { type: 'object' },
        map: { type: 'object', additionalProperties: { type: 'string' } },
      }),
    ).schema;
    expect(properties).toEqual({
      list: { type: 'array', items: {} },
      bare: { type: 'object', properties: {}, additionalProperties: true },
      map: { type: 'object', properties: {}, additionalProperties: { type: 'string' } },
    });
  });

  it.each([[{ type: 'object' }], [{}], [null], [undefined], ['x'], [[]], [{ type: 'object', properties: [] }]])(
    'the root of %j is an object without properties',
    (input) => {
      for (const format of FORMATS) {
        expect(prepareTool(format, makeTool(input)).schema).toEqual({ type: 'object', properties: {}, required: [] });
      }
      expect(processSchema(input)).toEqual({ type: 'object', properties: {}, required: [] });
    },
  );

  it('takes parameters that are named like keywords for what they are', () => {
    const odd = object(
      {
        title: { type: 'string' },
        type: { type: 'string' },
        default: { type: 'string' },
        format: { type: 'string' },
        properties: object({ a: { type: 'string' } }),
        required: { type: 'boolean' },
        $schema: { type: 'string' },
        $defs: { type: 'string' },
      },
      { required: ['title', 'type', 'required'] },
    );
    expect(openai(odd).schema).toEqual(odd);
    expect(Object.keys(gemini(odd).schema.properties)).toEqual([
      'title',
      'type',
      'default',
      'format',
      'properties',
      'required',
      'schema',
      'defs',
    ]);
  });

  it('a map of properties where a schema should be is taken for the properties', () => {
    expect(openai({ city: { type: 'string' } }).schema.properties).toEqual({ city: { type: 'string' } });
    const likeKeywords = { title: { type: 'string' }, type: { type: 'string' }, required: { type: 'boolean' } };
    expect(openai(likeKeywords).schema.properties).toEqual(likeKeywords);
    expect(openai({ items: { type: 'string' } }).schema.properties).not.toHaveProperty('items');
  });

  it('takes one name that is required for a list of it', () => {
    expect(openai({ ...object({ a: { type: 'string' } }), required: 'a' }).schema.required).toEqual(['a']);
  });

  it('tells of a list where a map of properties should be, unless it is empty', () => {
    expect(openai({ type: 'object', properties: [{ name: 'a' }] }).warnings).toEqual([
      'A part of the definition is not a schema; anything is allowed there.',
    ]);
    expect(openai({ type: 'object', properties: [] }).warnings).toEqual([]);
  });

  it('tells Gemini what is required of an object without properties', () => {
    expect(gemini(object({ a: { type: 'object', required: ['x'] } })).schema.properties.a.description).toContain(
      '{x: any}',
    );
  });

  it('a schema that is of no object becomes one property', () => {
    const prepared = openai({ type: 'string', minLength: 1 });
    expect(prepared.schema).toEqual({
      type: 'object',
      properties: { value: { type: 'string', minLength: 1 } },
      required: ['value'],
    });
    expect(prepared.warnings).toHaveLength(1);
  });
});

describe('maps (C6)', () => {
  const schema = object(
    { filter: { type: 'object', additionalProperties: { type: 'string' } }, limit: { type: 'integer' } },
    { required: ['filter'] },
  );
  it.each(FORMATS)('are never closed, and their arguments go verbatim on %s', (format) => {
    const prepared = prepareTool(format, makeTool(schema));
    expect(JSON.stringify(prepared.schema)).not.toContain('"additionalProperties":false');
    const args = { filter: { kind: 'A' }, limit: null, unknown: [1] };
    expect(prepared.restore(args)).toEqual(args);
  });
});

describe('unions at the root (C7)', () => {
  it('of required keys become a rule', () => {
    const prepared = anthropic(
      object(
        { id: { type: 'string' }, name: { type: 'string' } },
        { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
      ),
    );
    expect(prepared.schema).toEqual(object({ id: { type: 'string' }, name: { type: 'string' } }, { required: [] }));
    expect(prepared.description).toBe('Does it.\n\nRules for the arguments: give at least one of: "id", or "name".');
  });

  it('of forms become one object with the rule in words', () => {
    const prepared = anthropic({
      oneOf: [
        object({ op: { const: 'a' }, x: { type: 'string' } }, { required: ['op', 'x'] }),
        object({ op: { const: 'b' } }, { required: ['op'] }),
      ],
    });
    expect(prepared.schema).toEqual(
      object({ op: { type: 'string', enum: ['a', 'b'] }, x: { type: 'string' } }, { required: ['op'] }),
    );
    expect(prepared.description).toContain(
      'use exactly one of these forms: (1) "op" is "a", needs "x"; (2) "op" is "b".',
    );
  });

  it('keep a hint at the end of the description', () => {
    const tool = makeTool(object({ a: {} }, { not: { required: ['a'] } }), { description: 'Lists. (readOnly)' });
    expect(prepareTool('openai', tool).description).toMatch(/^Lists\.\n\nRules for the arguments: .* \(readOnly\)$/);
  });

  it('a nested anyOf within another is one', () => {
    const nested = { anyOf: [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }] };
    const flat = { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] };
    for (const convert of [openai, anthropic]) {
      expect(convert(object({ a: nested })).schema.properties).toEqual({ a: flat });
    }
    const told = { anyOf: [{ anyOf: [{ type: 'string' }], description: 'kept' }, { type: 'null' }] };
    expect(openai(object({ a: told })).schema.properties).toEqual({ a: told });
  });

  it('what can no longer be told apart is no oneOf', () => {
    const oneOf = [
      { type: 'string', pattern: '^a' },
      { type: 'string', pattern: '^b' },
    ];
    const node = (kind: string) => object({ kind: { const: kind }, next: { $ref: '#/$defs/Node' } });
    const schema = object(
      { a: { oneOf }, b: { $ref: '#/$defs/Node' } },
      { $defs: { Node: { oneOf: [node('x'), node('y')] } } },
    );
    const args = { a: 'ab', b: { kind: 'x', next: { kind: 'y', next: { kind: 'x', next: { kind: 'y' } } } } };
    const ajv = new Ajv2020({ strict: false });
    for (const convert of [openai, anthropic]) expect(ajv.validate({ ...convert(schema).schema }, args)).toBe(true);
    expect(anthropic(schema).schema.properties.a).toEqual({ oneOf });
  });

  it('nested ones stay where they are allowed', () => {
    const nested = object({ a: { oneOf: [{ type: 'string' }, object({ k: { const: 1, type: 'integer' } })] } });
    expect(anthropic(nested).schema.properties).toEqual(nested.properties);
    expect(openai(nested).schema.properties).toEqual(nested.properties);
  });

  it('rewrites the forms of older drafts', () => {
    const { properties } = anthropic(
      object({
        n: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
        open: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
        closed: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
        deps: object({ a: {}, b: {} }, { dependencies: { a: ['b'], b: { required: ['a'] } } }),
        r: { type: 'object', properties: { x: { type: 'string', required: true } } },
      }),
    ).schema;
    expect(properties).toEqual({
      n: { type: 'number', exclusiveMinimum: 0, maximum: 9 },
      open: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: {} },
      closed: { type: 'array', prefixItems: [{ type: 'string' }], maxItems: 1, items: { type: 'string' } },
      deps: object({ a: {}, b: {} }, { dependentRequired: { a: ['b'] }, dependentSchemas: { b: { required: ['a'] } } }),
      r: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
    });
  });
});

describe('property names', () => {
  const schema = object(
    {
      $top: { type: 'integer' },
      top: { type: 'string' },
      'a b': object(
        { 'x.y': { type: 'string' }, 'x-y': { type: 'string' }, x_y: { type: 'string' } },
        { required: ['x.y'] },
      ),
    },
    { required: ['$top'] },
  );

  it('that a provider refuses are replaced, never by one that is there already', () => {
    const { properties, required } = gemini(schema).schema;
    expect(Object.keys(properties)).toEqual(['top_2', 'top', 'a_b']);
    expect(required).toEqual(['top_2']);
    expect(Object.keys(properties.a_b.properties)).toEqual(['x_y_2', 'x_y_3', 'x_y']);
    expect(properties.a_b.required).toEqual(['x_y_2']);
    expect(properties.top_2.description).toBe('the server\'s name for it: "$top"');
    expect(Object.keys(anthropic(schema).schema.properties)).toEqual(['top_2', 'top', 'a_b']);
    expect(Object.keys(anthropic(schema).schema.properties.a_b.properties)).toEqual(['x.y', 'x-y', 'x_y']);
    expect(openai(schema).schema).toEqual({ ...schema });
  });

  it('are put back at every depth, and only where they were replaced', () => {
    const { restore } = gemini(schema);
    expect(
      restore({ top_2: 1, top: 't', a_b: { x_y_2: 'a', x_y_3: 'b', x_y: 'c', top_2: 'd' }, other: { top_2: 2 } }),
    ).toEqual({
      $top: 1,
      top: 't',
      'a b': { 'x.y': 'a', 'x-y': 'b', x_y: 'c', top_2: 'd' },
      other: { top_2: 2 },
    });
    expect(restore({ $top: 1, top_2: 2 })).toEqual({ $top: 1, top_2: 2 });
  });

  it('are put back below the place where recursion was cut', () => {
    const tree = object(
      { f: { $ref: '#/$defs/F' } },
      { $defs: { F: object({ $and: { type: 'array', items: { $ref: '#/$defs/F' } }, $eq: { type: 'string' } }) } },
    );
    const wire = { f: { and: [{ and: [{ and: [{ and: [{ eq: 'x' }] }] }] }] } };
    const own = { f: { $and: [{ $and: [{ $and: [{ $and: [{ $eq: 'x' }] }] }] }] } };
    expect(anthropic(tree).restore(wire)).toEqual(own);
  });

  it('are told in rules by their wire names', () => {
    const prepared = anthropic(object({ $a: {}, $b: {} }, { anyOf: [{ required: ['$a'] }, { required: ['$b'] }] }));
    expect(prepared.description).toContain('at least one of: "a", or "b"');
  });
});

describe('size', () => {
  /** About 84 KB, as one published server's tool has it. */
  const large = object(
    Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [
        `field_${i}`,
        { type: ['string', 'null'], description: `Field number ${i}: ${'text '.repeat(40)}` },
      ]),
    ),
  );

  it.each(FORMATS)('of a definition of 84 KB goes whole to %s', (format) => {
    expect(JSON.stringify(large).length).toBeGreaterThan(75_000);
    const prepared = prepareTool(format, makeTool(large));
    expect(Object.keys(prepared.schema.properties)).toHaveLength(300);
    expect(prepared.schema.properties.field_299.description).toBe(`Field number 299: ${'text '.repeat(40)}`);
    expect(prepared.warnings).toEqual([]);
  });

  it('of what is nested deeper than Gemini takes goes into words and comes back from JSON text', () => {
    const leaf = object({ leaf: { type: 'integer', minimum: 3, description: 'The leaf' } });
    const deep = object({ a: object({ b: object({ c: object({ d: object({ e: leaf }) }) }) }) });
    const prepared = gemini(deep);
    const { e } = prepared.schema.properties.a.properties.b.properties.c.properties.d.properties;
    expect(e).toEqual({ type: 'string', description: 'JSON text of the form {leaf?: integer (The leaf; at least 3)}' });
    expect(prepared.restore({ a: { b: { c: { d: { e: '{"leaf":4}' } } } } })).toEqual({
      a: { b: { c: { d: { e: { leaf: 4 } } } } },
    });
  });
});

describe('cache', () => {
  it('converts a tool once for each format', () => {
    const tool = makeTool(object({ a: {} }));
    expect(prepareTool('openai', tool)).toBe(prepareTool('openai', tool));
    expect(prepareTool('openai', tool)).not.toBe(prepareTool('google', tool));
  });

  it('shares a definition between tools, not a description', () => {
    const schema = object({ a: {} });
    const one = prepareTool('openai', makeTool(schema, { description: 'One' }));
    const two = prepareTool('openai', makeTool(schema, { description: 'Two' }));
    expect(two.schema).toBe(one.schema);
    expect([one.description, two.description]).toEqual(['One', 'Two']);
  });
});
