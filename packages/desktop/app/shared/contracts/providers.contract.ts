import { z } from 'zod';
import { defineContract, nothing } from './contract.ts';

/** The wire format a provider speaks. `openai` is Chat Completions, `openai-responses` the newer API of OpenAI itself. */
const apiFormatSchema = z.enum(['openai', 'openai-responses', 'anthropic', 'google', 'demo']);
export type ApiFormat = z.infer<typeof apiFormatSchema>;

export const modelInfoSchema = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  /** Tokens. */
  contextWindow: z.number().optional(),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

const httpUrl = z.url({ protocol: /^https?$/ }).max(2048);

/** A provider as stored; the key lies apart, encrypted. */
export const providerRecordSchema = z.strictObject({
  id: z.string(),
  /** Which preset it came from; `custom` for none. */
  preset: z.string(),
  name: z.string().trim().min(1).max(128),
  format: apiFormatSchema,
  baseUrl: httpUrl.nullable(),
  /** The models to choose from, as listed or typed in. */
  models: z.array(modelInfoSchema).max(2000),
  enabled: z.boolean(),
});
export type ProviderRecord = z.infer<typeof providerRecordSchema>;

export const providerViewSchema = providerRecordSchema.extend({
  keyState: z.enum(['set', 'not-set', 'unreadable', 'not-needed']),
});
export type ProviderView = z.infer<typeof providerViewSchema>;

const providerPresetSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  format: apiFormatSchema,
  baseUrl: z.string().nullable(),
  needsKey: z.boolean(),
  /** Where a person gets a key. */
  keyUrl: z.string().nullable(),
});
export type ProviderPreset = z.infer<typeof providerPresetSchema>;

const id = z.strictObject({ providerId: z.string().min(1).max(200) });
const key = z.string().trim().max(10_000);

export const providersContract = defineContract({
  domain: 'providers',
  errors: [
    'key-refused',
    'unreachable',
    /** Of `refreshModels`: it was stopped. */
    'cancelled',
    'not-supported',
    'name-taken',
    'store-failed',
    'weak-secrets',
    'key-origin-changed',
  ],
  calls: {
    list: { input: nothing, output: z.array(providerViewSchema) },
    presets: { input: nothing, output: z.array(providerPresetSchema) },
    add: {
      input: z.strictObject({
        preset: z.string().max(100),
        name: providerRecordSchema.shape.name,
        baseUrl: httpUrl.nullable(),
        /** Which format a `custom` one speaks; the preset decides otherwise. */
        format: apiFormatSchema.exclude(['demo']).optional(),
        key: key.optional(),
      }),
      output: providerViewSchema,
    },
    /** `key`: absent keeps the stored one, null forgets it. Moving `baseUrl` to another origin forgets it too unless given. */
    update: {
      input: id.extend({
        name: providerRecordSchema.shape.name.optional(),
        baseUrl: httpUrl.nullable().optional(),
        models: providerRecordSchema.shape.models.optional(),
        enabled: z.boolean().optional(),
        key: key.nullable().optional(),
      }),
      output: providerViewSchema,
    },
    remove: { input: id, output: nothing },
    /** Asks the provider for its models with the stored key (a test of the key too) and stores them. A second one ends the first. */
    refreshModels: { input: id, output: providerViewSchema },
    /** Ends `refreshModels` where it is under way; the models stay as they were. */
    stopRefresh: { input: id, output: nothing },
  },
  events: { changed: z.strictObject({ providers: z.array(providerViewSchema) }) },
});
export type ProvidersContract = typeof providersContract;
