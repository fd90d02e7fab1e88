import { toAppUrl } from './scheme-urls.mjs';

const LEVELS = ['debug', 'info', 'warning', 'error'];
/** The protocol's levels that have another name in Electron. */
const RENAMED = new Map([
  ['assert', 'error'],
  ['verbose', 'debug'],
]);

/**
 * Hands on what a page logs, what Chromium logs about it, and its uncaught errors.
 *
 * @param {import('./cdp.mjs').CdpSession} session
 * @param {(message: { level: string, message: string, lineNumber: number, sourceId: string }, level: number) => void} listener
 */
export function onConsoleMessage(session, listener) {
  const tell = (given, message, line = 0, source = '') => {
    const renamed = RENAMED.get(given) ?? given;
    const level = LEVELS.includes(renamed) ? renamed : 'info';
    const details = { level, message, lineNumber: line + 1, sourceId: toAppUrl(source) };
    listener(details, LEVELS.indexOf(level));
  };
  session.on('Runtime.consoleAPICalled', ({ type, args, stackTrace }) => {
    const texts = args.map(({ value, unserializableValue, description }) =>
      String(value ?? unserializableValue ?? description ?? 'undefined'),
    );
    const frame = stackTrace?.callFrames[0];
    tell(type, texts.join(' '), frame?.lineNumber, frame?.url);
  });
  session.on('Log.entryAdded', ({ entry: { level, text, lineNumber, url } }) => tell(level, text, lineNumber, url));
  session.on('Runtime.exceptionThrown', ({ exceptionDetails: { exception, text, lineNumber, url } }) => {
    tell('error', `Uncaught ${exception?.description ?? text}`, lineNumber, url);
  });
}
