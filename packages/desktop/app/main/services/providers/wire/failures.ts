/**
 * What can go wrong on the wire, kept as it was found until a recipe turns it into a ModelError. They travel through the
 * SDKs, as the cause of whatever those throw. Their messages are fixed, because the SDKs guess time-outs from the words of
 * an error and then lose its cause.
 */
export abstract class WireFailure extends Error {
  /** Host and port of the provider, for the message. */
  readonly host: string;

  constructor(message: string, host: string) {
    super(message);
    this.name = new.target.name;
    this.host = host;
  }
}

/** There was no response. */
export class NetworkFailure extends WireFailure {
  readonly source: unknown;

  constructor(host: string, source: unknown) {
    super('The request got no response.', host);
    this.source = source;
  }
}

/** A response with an error status. */
export class HttpFailure extends WireFailure {
  readonly status: number;
  readonly headers: Headers;
  /** The first part of the body, as text. */
  readonly body: string;

  constructor(host: string, status: number, headers: Headers, body: string) {
    super('The response has an error status.', host);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

/** An error that arrived inside a response with a good status. */
export class StreamedFailure extends WireFailure {
  /** The event's data: parsed JSON, or text where it was none. */
  readonly body: unknown;

  constructor(host: string, body: unknown) {
    super('The response reported an error.', host);
    this.body = body;
  }
}

/** A response that broke off, or that nobody can read. */
export class BrokenStreamFailure extends WireFailure {
  readonly source: unknown;

  constructor(host: string, source?: unknown) {
    super('The response broke off.', host);
    this.source = source;
  }
}

/** A good status, but what answers is no model API: a web page, for example. */
export class NotAnApiFailure extends WireFailure {
  readonly contentType: string;

  constructor(host: string, contentType: string) {
    super('The response is not one of a model API.', host);
    this.contentType = contentType;
  }
}

/** The failure inside whatever an SDK threw, if there is one. */
export function findWireFailure(thrown: unknown): WireFailure | undefined {
  let current = thrown;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (current instanceof WireFailure) return current;
    current = current.cause;
  }
  return undefined;
}
