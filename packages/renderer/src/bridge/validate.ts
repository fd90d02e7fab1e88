import { contracts, type EventBatch } from '@shared/contracts/index.ts';
import { config, type ZodType } from 'zod';

// The page's CSP forbids eval, which zod's compiled parsers need.
config({ jitless: true });

/** Reports events that don't have the shape of their contract. Loaded in development only. */
export function checkBatch(batch: EventBatch): void {
  for (const event of batch.events) {
    const [domain, name] = event.type.split('.') as [keyof typeof contracts, string];
    const schema = (contracts[domain].events as Record<string, ZodType>)[name];
    const result = schema?.safeParse(event.payload);
    if (!result?.success) console.error(`Event ${event.type} breaks its contract`, result?.error, event.payload);
  }
}
