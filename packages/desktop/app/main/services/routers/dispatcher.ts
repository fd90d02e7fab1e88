import {
  type CallSpec,
  COMMON_ERROR_CODES,
  DEFAULT_MAX_INPUT_BYTES,
  type Envelope,
  type ErrorInfo,
} from '@shared/contracts/contract.ts';
import { z } from 'zod';
import { AppError, toErrorInfo } from '../ports/errors.ts';
import type { Logger } from '../ports/infrastructure.ts';
import { guardInput } from './input-guard.ts';
import type { Handler, Router } from './router.ts';

/** The frame a call came from; null when it is gone already. */
export interface SenderFrame {
  readonly url: string;
  readonly isMainFrame: boolean;
}

interface Route {
  readonly spec: CallSpec;
  readonly codes: ReadonlySet<string>;
  readonly handle: Handler;
}

export type Dispatch = (channel: string, sender: SenderFrame | null, input: unknown) => Promise<Envelope<unknown>>;

/**
 * The one road of every call: sender check, input check, one call of a handler, result envelope. Never rejects. Codes that a
 * contract doesn't list leave as `internal`, with the message in the log only.
 */
export function createDispatcher(
  routers: readonly Router[],
  isTrustedSender: (sender: SenderFrame) => boolean,
  logger: Logger,
): Dispatch {
  const routes = new Map<string, Route>(
    routers.flatMap(({ contract, handlers }) =>
      Object.entries(contract.calls).map(([call, spec]) => {
        const codes = new Set<string>([...contract.errors, ...COMMON_ERROR_CODES]);
        return [`${contract.domain}.${call}`, { spec, codes, handle: handlers[call] as Handler }] as const;
      }),
    ),
  );

  return async (channel, sender, input) => {
    if (!sender?.isMainFrame || !isTrustedSender(sender)) {
      logger.warn('A call from a foreign frame was refused', { channel, url: sender?.url ?? '(gone)' });
      return fail({ code: 'forbidden', message: 'This page may not call the app.' });
    }
    const route = routes.get(channel);
    if (!route) return fail({ code: 'not-found', message: `There is no channel "${channel}".` });

    const verdict = guardInput(input, route.spec.maxBytes ?? DEFAULT_MAX_INPUT_BYTES);
    if (!verdict.ok) return fail({ code: verdict.code, message: `This can’t be accepted. ${verdict.reason}` });
    const parsed = route.spec.input.safeParse(input);
    if (!parsed.success) {
      return fail({
        code: 'invalid-input',
        message: 'This can’t be accepted: a value is missing or has the wrong form.',
        details: z.prettifyError(parsed.error),
      });
    }

    try {
      return { ok: true, value: await route.handle(parsed.data as never) };
    } catch (thrown) {
      if (!(thrown instanceof AppError))
        logger.error('A call failed inside the app', { channel, error: stackOf(thrown) });
      const info = toErrorInfo(thrown);
      if (route.codes.has(info.code)) return fail(info);
      const { code, message } = info;
      logger.error('A call failed with a code that its contract does not list', { channel, code, message });
      return fail(INTERNAL);
    }
  };
}

const INTERNAL = toErrorInfo(undefined);

const fail = (error: ErrorInfo): Envelope<never> => ({ ok: false, error });

const stackOf = (thrown: unknown) => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
