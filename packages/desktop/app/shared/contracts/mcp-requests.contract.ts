import { z } from 'zod';
import { defineContract, errorInfoSchema, nothing } from './contract.ts';
import { modelRefSchema } from './message-types.ts';

const option = z.strictObject({ value: z.string(), title: z.string() });
const field = { name: z.string(), title: z.string().optional(), description: z.string().optional() };
const required = { required: z.boolean() };
const count = z.number().optional();

/** One field of a form that a server asks to be filled in. Flat by the protocol: no objects, no lists but of choices. */
const formFieldSchema = z.discriminatedUnion('type', [
  z.strictObject({
    ...field,
    ...required,
    type: z.literal('text'),
    format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
    minLength: count,
    maxLength: count,
    default: z.string().optional(),
  }),
  z.strictObject({
    ...field,
    ...required,
    type: z.literal('number'),
    integer: z.boolean(),
    minimum: count,
    maximum: count,
    default: count,
  }),
  z.strictObject({ ...field, ...required, type: z.literal('boolean'), default: z.boolean().optional() }),
  z.strictObject({
    ...field,
    ...required,
    type: z.literal('choice'),
    options: z.array(option),
    default: z.string().optional(),
  }),
  z.strictObject({
    ...field,
    ...required,
    type: z.literal('choices'),
    options: z.array(option),
    minItems: count,
    maxItems: count,
    default: z.array(z.string()).optional(),
  }),
]);
export type FormField = z.infer<typeof formFieldSchema>;

const samplingPhase = z.discriminatedUnion('name', [
  /** The person has not agreed yet. */
  z.strictObject({ name: z.literal('asked') }),
  z.strictObject({ name: z.literal('writing'), model: modelRefSchema }),
  /** The model has answered; the person has not seen it go to the server yet. */
  z.strictObject({ name: z.literal('answered'), model: modelRefSchema, text: z.string(), cut: z.boolean() }),
  z.strictObject({ name: z.literal('failed'), error: errorInfoSchema }),
]);

const question = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('form'), message: z.string(), fields: z.array(formFieldSchema) }),
  z.strictObject({
    kind: z.literal('url'),
    message: z.string(),
    /** As the server wrote it. */
    url: z.string(),
    /** The host that would be visited, in ASCII. */
    host: z.string(),
    /** It was opened, and the server has not said yet that the rest is done. */
    opened: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal('sampling'),
    system: z.string().optional(),
    messages: z.array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        text: z.string(),
        /** Pictures of the user's, as base64; at most 4 MB of it in one request. */
        images: z.array(z.strictObject({ data: z.string(), mimeType: z.string() })).optional(),
      }),
    ),
    maxTokens: z.number(),
    /** Names of models that the server would like, the most wanted first. */
    hints: z.array(z.string()),
    /** What else the request says of how it is to be answered, which models here are not told. */
    notPassedOn: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    phase: samplingPhase,
  }),
]);

/** What a server asks of the person. */
const serverRequestSchema = z.strictObject({
  id: z.string(),
  serverId: z.string(),
  serverName: z.string(),
  /** The pool's id of the running call that it belongs to: JSON of conversation id and call id. Absent where unknown. */
  call: z.string().optional(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  question,
});
export type ServerRequest = z.infer<typeof serverRequestSchema>;
export type ServerQuestion = ServerRequest['question'];

/** The protocol's own levels, from most to least talkative. */
export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
const logLevelSchema = z.enum(LOG_LEVELS);
export type McpLogLevel = z.infer<typeof logLevelSchema>;

/** What a person grants one server. `logLevel` null leaves it to the server. */
export const serverGrantsSchema = z.strictObject({ roots: z.array(z.string()), logLevel: logLevelSchema.nullable() });
export type ServerGrants = z.infer<typeof serverGrantsSchema>;

const id = z.string().min(1).max(200);
const serverId = z.strictObject({ serverId: id });
const value = z.union([z.string().max(200_000), z.number(), z.boolean(), z.array(z.string().max(2000)).max(1000)]);

const requestAnswerSchema = z.discriminatedUnion('action', [
  /** A form: the fields that were filled in. */
  z.strictObject({
    action: z.literal('accept'),
    values: z.array(z.strictObject({ name: z.string().max(200), value })).max(200),
  }),
  /** An address: opens it outside the app, and tells the server that the person agreed. */
  z.strictObject({ action: z.literal('open') }),
  /** An address that was opened: the person is done there, or doesn't want to see this any more. */
  z.strictObject({ action: z.literal('done') }),
  /** Sampling: sends the request to the model. */
  z.strictObject({ action: z.literal('approve'), model: modelRefSchema }),
  /** Sampling: gives the server this answer. */
  z.strictObject({ action: z.literal('send'), text: z.string().max(1_000_000) }),
  z.strictObject({ action: z.literal('decline') }),
  z.strictObject({ action: z.literal('cancel') }),
]);
export type RequestAnswer = z.infer<typeof requestAnswerSchema>;

/** What MCP servers ask of the person, and what the person grants them. */
export const mcpRequestsContract = defineContract({
  domain: 'mcpRequests',
  errors: ['not-pending', 'invalid-answer', 'no-model', 'refused', 'store-failed'],
  calls: {
    /** Whatever waits for the person, oldest first. */
    list: { input: nothing, output: z.array(serverRequestSchema) },
    /** `not-pending` when it was answered before, or its server took it back. */
    answer: {
      input: z.strictObject({ id, answer: requestAnswerSchema }),
      output: nothing,
      maxBytes: 4 * 1024 * 1024,
    },
    grants: { input: serverId, output: serverGrantsSchema },
    /** Asks for a folder with the system's dialog and grants it. Answers with the grants as they are then. */
    addRoot: { input: serverId, output: serverGrantsSchema },
    removeRoot: { input: serverId.extend({ folder: z.string().max(4096) }), output: serverGrantsSchema },
    setLogLevel: { input: serverId.extend({ level: logLevelSchema.nullable() }), output: serverGrantsSchema },
  },
  events: {
    /** A request is new, or stands otherwise than before. */
    changed: z.strictObject({ request: serverRequestSchema }),
    closed: z.strictObject({ id: z.string() }),
  },
});
