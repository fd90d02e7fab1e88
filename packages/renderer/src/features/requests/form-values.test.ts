import type { FormField } from '@shared/contracts/mcp-requests.contract.ts';
import { describe, expect, it } from 'vitest';
import { type Entered, initialValues, problemOf, toAnswer } from './form-values.ts';

const text = (more: object = {}): FormField => ({ type: 'text', name: 'f', required: false, ...more }) as FormField;
const number = (more: object = {}): FormField =>
  ({ type: 'number', name: 'f', required: false, integer: false, ...more }) as FormField;
const options = ['a', 'b', 'c'].map((value) => ({ value, title: value }));
const choice = (more: object = {}): FormField =>
  ({ type: 'choice', name: 'f', required: false, options, ...more }) as FormField;
const choices = (more: object = {}): FormField =>
  ({ type: 'choices', name: 'f', required: false, options, ...more }) as FormField;

describe('problemOf', () => {
  it.each<[FormField, Entered]>([
    [text(), ''],
    [text({ minLength: 2 }), ''],
    [text({ minLength: 2, maxLength: 2 }), '😀😀'],
    [text({ format: 'email' }), 'ada@example.org'],
    [text({ format: 'uri' }), 'https://example.org'],
    [number(), ''],
    [number(), '-1.5e3'],
    [number({ integer: true, minimum: 1, maximum: 7 }), ' 7 '],
    [choice(), undefined],
    [choices(), []],
    [choices({ required: true }), []],
    [choices({ minItems: 1, maxItems: 2 }), ['a', 'b']],
  ])('finds none in %j with %j', (field, value) => {
    expect(problemOf(field, value)).toBeUndefined();
  });

  it.each<[FormField, Entered, string]>([
    [text({ required: true }), '', 'required'],
    [text({ minLength: 3 }), '😀😀', 'tooShort'],
    [text({ maxLength: 1 }), 'ab', 'tooLong'],
    [text({ format: 'email' }), 'ada', 'email'],
    [text({ format: 'uri' }), 'example', 'uri'],
    [text({ format: 'date' }), 'x', 'date'],
    [number({ required: true }), '', 'required'],
    [number(), '1,5', 'notNumber'],
    [number(), '0x10', 'notNumber'],
    [number(), '1e999', 'notNumber'],
    [number({ integer: true }), '1.5', 'notInteger'],
    [number({ minimum: 0 }), '-1', 'tooSmall'],
    [number({ maximum: 0 }), '1', 'tooLarge'],
    [choice({ required: true }), undefined, 'required'],
    [choices({ required: true, minItems: 1 }), [], 'required'],
    [choices({ minItems: 2 }), ['a'], 'tooFew'],
    [choices({ maxItems: 1 }), ['a', 'b'], 'tooMany'],
  ])('finds one in %j with %j: %s', (field, value, key) => {
    expect(problemOf(field, value)?.key).toBe(key);
  });
});

describe('toAnswer', () => {
  const named = (field: FormField, name: string) => ({ ...field, name });

  it('sends the defaults as they are, and leaves out what is empty', () => {
    const fields = [
      named(text({ default: 'x' }), 'text'),
      named(text(), 'empty'),
      named(number({ default: 0 }), 'number'),
      named(number(), 'none'),
      named({ type: 'boolean', name: '', required: true }, 'must'),
      named({ type: 'boolean', name: '', required: false }, 'may'),
      named(choice({ default: 'b' }), 'choice'),
      named(choices({ default: ['a'] }), 'choices'),
      named(choices({ required: true }), 'nothing'),
    ];
    expect(toAnswer(fields, initialValues(fields))).toEqual({
      action: 'accept',
      values: [
        { name: 'text', value: 'x' },
        { name: 'number', value: 0 },
        { name: 'must', value: false },
        { name: 'choice', value: 'b' },
        { name: 'choices', value: ['a'] },
        { name: 'nothing', value: [] },
      ],
    });
  });

  it('gives a moment its time zone, whatever the default had', () => {
    const fields = [named(text({ format: 'date-time', default: '2026-07-28T10:00:00+02:00' }), 'at')];
    expect(toAnswer(fields, initialValues(fields))).toMatchObject({ values: [{ value: '2026-07-28T08:00:00.000Z' }] });
  });
});
