/** How a server's process ended, in a start that failed. */
export class StartFailure extends Error {
  readonly reason: string;
  readonly stderr: string | undefined;

  constructor(reason: string, stderr: string | undefined, cause: unknown) {
    super(reason, { cause });
    this.name = 'StartFailure';
    this.reason = reason;
    this.stderr = stderr;
  }
}

/** A server that was to speak one revision of the protocol, and nothing else, doesn't. */
export class NotThisRevision extends Error {
  readonly revision: string;
  /** What it answered instead. */
  readonly answer: string | undefined;

  constructor(revision: string, answer: string | undefined) {
    super(`It does not speak revision ${revision} of the protocol.`);
    this.name = 'NotThisRevision';
    this.revision = revision;
    this.answer = answer;
  }
}

/** A server that was late with its answer speaks the newer protocol revision, and no older one. */
export class OnlyModern extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'OnlyModern';
  }
}

/** A server's process ended when it was asked for the newer protocol revision. */
export class EndedAtProbe extends StartFailure {}
