import { z } from 'zod';

/** A resource as a server lists it. */
export const mcpResourceSchema = z.strictObject({
  uri: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  /** In bytes, as the server says. */
  size: z.number().optional(),
});
export type McpResource = z.infer<typeof mcpResourceSchema>;

/** A family of resources, whose address is made from arguments (RFC 6570). */
export const mcpResourceTemplateSchema = z.strictObject({
  uriTemplate: z.string(),
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  mimeType: z.string().optional(),
  /** Names of the arguments, in their order in the template. */
  arguments: z.array(z.string()),
});
export type McpResourceTemplate = z.infer<typeof mcpResourceTemplateSchema>;

const mcpPromptArgumentSchema = z.strictObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  required: z.boolean(),
});

export const mcpPromptSchema = z.strictObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  arguments: z.array(mcpPromptArgumentSchema),
});
export type McpPrompt = z.infer<typeof mcpPromptSchema>;

/** An entry of a listing that can't be used, kept so that the person sees why. */
export const rejectedEntrySchema = z.strictObject({ name: z.string(), reason: z.string() });
export type RejectedEntry = z.infer<typeof rejectedEntrySchema>;

/** Content of a resource as it was read: with text, with a picture, or with neither where it can't be shown or was too large. */
export const attachmentPartSchema = z.strictObject({
  type: z.literal('attachment'),
  serverId: z.string(),
  serverName: z.string(),
  name: z.string(),
  uri: z.string(),
  mimeType: z.string().optional(),
  /** At most 100,000 characters, with a note where something was left out. */
  text: z.string().optional(),
  image: z.strictObject({ data: z.string(), mimeType: z.string() }).optional(),
  /** Of the whole content, in bytes. */
  size: z.number(),
  /** Something of it was left out because it was too large. */
  cut: z.boolean(),
});
export type AttachmentPart = z.infer<typeof attachmentPartSchema>;

/** What a message is to be sent with: a resource that is read on sending, or content that came with a prompt. */
export const attachmentRequestSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('resource'),
    serverId: z.string().min(1).max(200),
    serverName: z.string().max(200),
    uri: z.string().min(1).max(8192),
    name: z.string().max(1024),
    mimeType: z.string().max(255).optional(),
  }),
  z.strictObject({ kind: z.literal('content'), part: attachmentPartSchema }),
]);
export type AttachmentRequest = z.infer<typeof attachmentRequestSchema>;

export const MAX_ATTACHMENTS = 20;
