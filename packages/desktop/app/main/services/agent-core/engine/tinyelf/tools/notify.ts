import { z } from 'zod';
import type { ITool } from './ITool.ts';
import { parametersOf, readParameters } from './parameters.ts';

export interface NotifyOptions {
  /** Shows a notification of the system; false where there are none. */
  notify: (notice: { title: string; text: string }) => boolean;
}

const parameters = z.strictObject({
  title: z.string().trim().min(1).max(100),
  text: z.string().trim().min(1).max(500),
});

/** Notify: tells the person something by a notification of the system. */
export function createNotifyTool({ notify }: NotifyOptions): ITool {
  return {
    name: 'Notify',
    description:
      'Shows the person a notification of the system, for news that they should see now even when they look elsewhere, such as the end of long work.',
    parameters: parametersOf(parameters),
    risk: 'safe',
    async execute(params) {
      const read = readParameters(parameters, params);
      if (!read.ok) return read.problem;
      return notify(read.value) ? 'The notification was shown.' : 'Error: This system shows no notifications.';
    },
  };
}
