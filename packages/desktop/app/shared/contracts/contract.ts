import { z } from 'zod';

/** One request of the renderer to main: the channel `domain.call` takes `input` and answers with `output`. */
export interface CallSpec {
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** Largest accepted input in bytes of its JSON. Default {@link DEFAULT_MAX_INPUT_BYTES}. */
  readonly maxBytes?: number;
}

/** What one domain offers to the renderer: calls, events, and the closed list of error codes its calls can answer with. */
export interface Contract<
  Domain extends string = string,
  Calls extends Record<string, CallSpec> = Record<string, CallSpec>,
  Events extends Record<string, z.ZodType> = Record<string, z.ZodType>,
  Code extends string = string,
> {
  readonly domain: Domain;
  readonly calls: Calls;
  readonly events: Events;
  readonly errors: readonly Code[];
}

export const DEFAULT_MAX_INPUT_BYTES = 1024 * 1024;

/** Codes that every call can answer with, whatever its domain. */
export const COMMON_ERROR_CODES = ['forbidden', 'invalid-input', 'too-large', 'not-found', 'internal'] as const;
export type CommonErrorCode = (typeof COMMON_ERROR_CODES)[number];

/** An error as the renderer sees it. `message` says what happened, `hint` what to do; both are for people. */
export const errorInfoSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  hint: z.string().optional(),
  /** More for those who want it: an exit code, the last lines of stderr, an HTTP body. */
  details: z.string().optional(),
});
export type ErrorInfo = z.infer<typeof errorInfoSchema>;

export type Envelope<Value, Code extends string = string> =
  | { ok: true; value: Value }
  | { ok: false; error: ErrorInfo & { code: Code | CommonErrorCode } };

export function defineContract<
  const Domain extends string,
  const Calls extends Record<string, CallSpec>,
  const Events extends Record<string, z.ZodType>,
  const Code extends string,
>(contract: Contract<Domain, Calls, Events, Code>): Contract<Domain, Calls, Events, Code> {
  return contract;
}

/** Input of a call that takes nothing, output of one that answers nothing. */
export const nothing = z.void();

/** What a caller may leave out (a default fills it) is optional here. */
export type CallInput<C extends Contract, K extends keyof C['calls']> = z.input<C['calls'][K]['input']>;
/** What a handler gets: parsed, with defaults. */
export type ParsedInput<C extends Contract, K extends keyof C['calls']> = z.output<C['calls'][K]['input']>;
export type CallOutput<C extends Contract, K extends keyof C['calls']> = z.infer<C['calls'][K]['output']>;
export type ErrorCode<C extends Contract> = C['errors'][number] | CommonErrorCode;

/** The object that the preload exposes for one domain. */
export type DomainApi<C extends Contract> = {
  [K in keyof C['calls']]: (
    ...input: undefined extends CallInput<C, K> ? [] : [input: CallInput<C, K>]
  ) => Promise<Envelope<CallOutput<C, K>, ErrorCode<C>>>;
};

/** The union of a domain's events: `{type: 'domain.event', payload}`. */
export type DomainEvent<C extends Contract> =
  C extends Contract<infer D, Record<string, CallSpec>, infer E>
    ? { [K in keyof E & string]: { type: `${D}.${K}`; payload: z.infer<E[K]> } }[keyof E & string]
    : never;

/** Every channel of a contract, in the order of its definition: `domain.call`. */
export const channelsOf = (contract: Contract): string[] =>
  Object.keys(contract.calls).map((call) => `${contract.domain}.${call}`);
