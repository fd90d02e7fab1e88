import { z } from 'zod';

/** Which model: a configured provider and its name for the model. */
export const modelRefSchema = z.strictObject({
  providerId: z.string().min(1).max(200),
  modelId: z.string().min(1).max(500),
});
export type ModelRef = z.infer<typeof modelRefSchema>;
