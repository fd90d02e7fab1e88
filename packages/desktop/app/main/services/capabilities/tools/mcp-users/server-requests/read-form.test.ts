import { describe, expect, it } from 'vitest';
import { checkValues } from './check-values.ts';
import { readForm } from './read-form.ts';

const form = (properties: unknown, required?: unknown) => ({ type: 'object', properties, required });

describe('readForm', () => {
  it('reads every kind of field that the protocol knows', () => {
    const fields = readForm(
      form(
        {
          name: { type: 'string', title: 'Name', description: 'Yours', minLength: 1, maxLength: 5, default: 'Ada' },
          mail: { type: 'string', format: 'email' },
          share: { type: 'number', minimum: 0, maximum: 1, default: 0.5 },
          age: { type: 'integer' },
          agree: { type: 'boolean', default: true },
          plain: { type: 'string', enum: ['a', 'b'], default: 'b' },
          named: { type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] },
          titled: { type: 'string', oneOf: [{ const: 'x', title: 'The X' }, { const: '' }] },
          many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, default: ['b', 'gone'] },
          manyTitled: { type: 'array', items: { anyOf: [{ const: 'x', title: 'The X' }] } },
        },
        ['name', 'agree'],
      ),
    );
    expect(fields.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['name', 'text', true],
      ['mail', 'text', false],
      ['share', 'number', false],
      ['age', 'number', false],
      ['agree', 'boolean', true],
      ['plain', 'choice', false],
      ['named', 'choice', false],
      ['titled', 'choice', false],
      ['many', 'choices', false],
      ['manyTitled', 'choices', false],
    ]);
    expect(fields[0]).toMatchObject({
      title: 'Name',
      description: 'Yours',
      minLength: 1,
      maxLength: 5,
      default: 'Ada',
    });
    expect(fields[3]).toMatchObject({ integer: true });
    expect(fields[6]).toMatchObject({
      options: [
        { value: 'a', title: 'First' },
        { value: 'b', title: 'Second' },
      ],
    });
    expect(fields[7]).toMatchObject({
      options: [
        { value: 'x', title: 'The X' },
        { value: '', title: '' },
      ],
    });
    expect(fields[8]).toMatchObject({ minItems: 1, default: ['b'] });
  });

  it.each([
    ['no schema', undefined],
    ['a list', []],
    ['no properties', { type: 'object' }],
    ['an object within', form({ a: { type: 'object', properties: {} } })],
    ['a list of texts', form({ a: { type: 'array', items: { type: 'string' } } })],
    ['a list of objects', form({ a: { type: 'array', items: { type: 'object' } } })],
    ['a reference', form({ a: { $ref: '#/$defs/a' } })],
    ['several types', form({ a: { type: ['string', 'null'] } })],
    ['choices that are no texts', form({ a: { enum: [1, 2] } })],
    ['choices without values', form({ a: { type: 'string', oneOf: [{ title: 'x' }] } })],
    ['no choices', form({ a: { type: 'string', enum: [] } })],
    ['too many fields', form(Object.fromEntries([...Array(101).keys()].map((n) => [`f${n}`, { type: 'string' }])))],
    ['too many choices', form({ a: { type: 'string', enum: [...Array(501).keys()].map(String) } })],
    ['a name without end', form({ ['n'.repeat(1000)]: { type: 'string' } })],
    ['a schema that is a text', form({ a: 'string' })],
  ])('refuses %s, in words for the server', (_what, schema) => {
    expect(() => readForm(schema)).toThrow(expect.objectContaining({ code: -32602 }));
  });

  it('cuts texts without end and ignores defaults that do not fit', () => {
    const [field, choice] = readForm(
      form({ a: { type: 'string', title: 't'.repeat(100_000), default: 7 }, b: { enum: ['x'], default: 'y' } }),
    );
    expect(field?.title?.length).toBeLessThan(2100);
    expect(field).not.toHaveProperty('default');
    expect(choice).not.toHaveProperty('default');
  });
});

describe('checkValues', () => {
  const fields = readForm(
    form(
      {
        text: { type: 'string', minLength: 2, maxLength: 3 },
        mail: { type: 'string', format: 'email' },
        address: { type: 'string', format: 'uri' },
        day: { type: 'string', format: 'date' },
        moment: { type: 'string', format: 'date-time' },
        whole: { type: 'integer', minimum: 1, maximum: 9 },
        yes: { type: 'boolean' },
        one: { type: 'string', enum: ['a', 'b'] },
        some: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
        needed: { type: 'string' },
      },
      ['needed'],
    ),
  );
  const needed = { name: 'needed', value: 'x' };
  const check = (name: string, value: string | number | boolean | string[]) =>
    checkValues(fields, [needed, { name, value }]);

  it.each<[string, string | number | boolean | string[]]>([
    ['text', '😀😀'],
    ['mail', 'ada@example.org'],
    ['address', 'https://example.org/a'],
    ['day', '2028-02-29'],
    ['moment', '2026-07-28T10:00:00Z'],
    ['moment', '2026-07-28T10:00:00.5+02:00'],
    ['whole', 9],
    ['yes', false],
    ['one', 'b'],
    ['some', ['c', 'a']],
  ])('takes %s %j', (name, value) => {
    expect(check(name, value)).toEqual({ ok: true, content: { needed: 'x', [name]: value } });
  });

  it.each<[string, string | number | boolean | string[]]>([
    ['text', 'x'],
    ['text', 'long!'],
    ['text', 12],
    ['mail', 'ada'],
    ['address', 'example'],
    ['day', '2026-02-30'],
    ['day', '28.7.2026'],
    ['moment', '2026-07-28'],
    ['moment', '2026-02-30T10:00:00Z'],
    ['whole', 1.5],
    ['whole', 10],
    ['whole', Number.POSITIVE_INFINITY],
    ['whole', '3'],
    ['yes', 'true'],
    ['one', 'c'],
    ['some', []],
    ['some', ['a', 'b', 'c']],
    ['some', ['a', 'a']],
    ['some', ['d']],
    ['unknown', 'x'],
  ])('refuses %s %j', (name, value) => {
    expect(check(name, value)).toEqual({ ok: false, field: name });
  });

  it('misses what is required, and keeps odd names as names', () => {
    expect(checkValues(fields, [])).toEqual({ ok: false, field: 'needed' });
    const odd = readForm(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'));
    const checked = checkValues(odd, [{ name: '__proto__', value: 'x' }]);
    expect(JSON.stringify(checked)).toContain('"__proto__":"x"');
  });
});
