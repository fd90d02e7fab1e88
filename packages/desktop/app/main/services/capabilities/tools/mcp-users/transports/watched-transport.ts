import type { JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';
import type { MessageRecorder } from '../log/message-recorder.ts';

/** A transport whose messages are noted, in both directions, while the recorder is asked to. */
export class WatchedTransport implements Transport {
  readonly #inner: Transport;
  readonly #recorder: MessageRecorder;

  constructor(inner: Transport, recorder: MessageRecorder) {
    this.#inner = inner;
    this.#recorder = recorder;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean | undefined {
    return this.#inner.hasPerRequestStream;
  }

  get onclose(): Transport['onclose'] {
    return this.#inner.onclose;
  }

  set onclose(listener: Transport['onclose']) {
    this.#inner.onclose = listener;
  }

  get onerror(): Transport['onerror'] {
    return this.#inner.onerror;
  }

  set onerror(listener: Transport['onerror']) {
    this.#inner.onerror = listener;
  }

  get onmessage(): Transport['onmessage'] {
    return this.#inner.onmessage;
  }

  set onmessage(listener: Transport['onmessage']) {
    this.#inner.onmessage =
      listener &&
      ((message, extra) => {
        if (this.#recorder.active) this.#recorder.record('in', message);
        listener(message, extra);
      });
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#recorder.active) this.#recorder.record('out', message);
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
