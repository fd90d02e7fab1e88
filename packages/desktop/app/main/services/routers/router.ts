import type { CallOutput, Contract, ParsedInput } from '@shared/contracts/contract.ts';

export type Handler = (input: never) => unknown;

/** One contract with what answers its calls. */
export interface Router {
  readonly contract: Contract;
  readonly handlers: Readonly<Record<string, Handler>>;
}

/** Ties each call of a contract to one call of a service. A handler gets parsed input and may throw AppError. */
export function defineRouter<C extends Contract>(
  contract: C,
  handlers: {
    [K in keyof C['calls']]: (input: ParsedInput<C, K>) => CallOutput<C, K> | Promise<CallOutput<C, K>>;
  },
): Router {
  return { contract, handlers: handlers as Router['handlers'] };
}
