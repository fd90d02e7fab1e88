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

/** A server's process ended when it was asked for the newer protocol revision. */
export class EndedAtProbe extends StartFailure {}
