/** The server answered a request with an error. */
export class RpcError extends Error {
  /** Undefined when the server gave none. */
  readonly code: number | undefined;
  readonly data: unknown;

  constructor(code: number | undefined, message: string, data?: unknown) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

/** A request had no answer in time: nothing came for `limitMs`, or it took longer than that in all. */
export class RequestTimeout extends Error {
  readonly kind: 'idle' | 'total';
  readonly limitMs: number;

  constructor(kind: 'idle' | 'total', limitMs: number) {
    super(kind === 'idle' ? `No answer within ${limitMs} ms` : `Not finished within ${limitMs} ms`);
    this.name = 'RequestTimeout';
    this.kind = kind;
    this.limitMs = limitMs;
  }
}

/** The connection ended before the answer came. */
export class ConnectionLost extends Error {
  constructor(message = 'The connection ended') {
    super(message);
    this.name = 'ConnectionLost';
  }
}

/** The server sends so much that the answers to it pile up here: the connection was ended. */
export class Flooded extends ConnectionLost {
  constructor() {
    super('The server asks more than it takes answers for');
    this.name = 'Flooded';
  }
}

/** What one answer was to come on ended without it. The connection and its other requests go on. */
export class AnswerCutOff extends ConnectionLost {
  /** What came instead, to be put after “It sent”. */
  readonly what: string;

  constructor(what = 'an event stream that ended before the answer') {
    super('The answer was cut off');
    this.name = 'AnswerCutOff';
    this.what = what;
  }
}

/** A server answered a request with something that holds no answer to it. The connection and its other requests go on. */
export class NoAnswer extends Error {
  /** What came instead, to be put after “It sent”. */
  readonly what: string;
  /** The beginning of its body. */
  readonly head: string;

  constructor(what: string, head: string) {
    super(`The server sent ${what} instead of an answer`);
    this.name = 'NoAnswer';
    this.what = what;
    this.head = head;
  }
}
