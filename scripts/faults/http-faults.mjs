// What a server over HTTP can do wrong; as in stdio-faults.mjs.
import { expect, until } from './subject.mjs';

const AT_ONCE = 10;

async function connected(subject, limits) {
  const { server, id } = await subject.addHttp(limits);
  await subject.service.connect(id);
  return { server, id };
}

/** One call's stream ends without an answer; the others have streams of their own, and get theirs. */
async function loseOneAnswer(subject, how) {
  const { id } = await connected(subject);
  const dropped = subject.failure(subject.call(id, how));
  // Still running when the other's end is noticed.
  await subject.echo(id, AT_ONCE, 'late');
  const code = await dropped;
  expect(code === 'call-lost', `call-lost, not ${code}`);
  return subject.recover(id);
}

/** The server has forgotten every session and says so with `status`. */
async function loseSessions(subject, status) {
  const { server, id } = await connected(subject);
  await subject.echo(id);
  server.forgetSessions(status);
  const start = performance.now();
  await subject.echo(id, AT_ONCE);
  const ms = performance.now() - start;
  const sessions = server.count('initialize');
  expect(sessions === 2, `one new session for all calls, not ${sessions - 1}`);
  return ms;
}

export const httpFaults = {
  'HTTP session loss': (subject) => loseSessions(subject, 404),

  'HTTP session loss, said with 400': (subject) => loseSessions(subject, 400),

  'server that is down for a while': async (subject) => {
    const { server, id } = await connected(subject);
    await subject.echo(id, AT_ONCE);
    await server.goDown();
    await subject.failure(subject.call(id, 'echo'));
    await until(() => subject.stateOf(id).status !== 'ready', 'that it is gone is noticed');
    await server.comeBack();
    return subject.recover(id);
  },

  '401 storm': async (subject) => {
    const { server, id } = await connected(subject);
    await subject.echo(id, AT_ONCE);
    server.refuse(true);
    const before = server.count();
    const calls = Array.from({ length: AT_ONCE }, () => subject.failure(subject.call(id, 'echo')));
    await Promise.all(calls);
    await until(() => subject.stateOf(id).status === 'needs-sign-in', 'sign-in is asked for');
    // Nothing more is tried until somebody signs in: a call now fails without a request.
    await subject.failure(subject.call(id, 'echo'));
    const requests = server.count() - before;
    expect(requests <= 2 * AT_ONCE, `no storm of requests, not ${requests}`);
    server.refuse(false);
    subject.service.restart(id);
    return subject.recover(id);
  },

  'slow loris': async (subject) => {
    const { server, id } = await connected(subject, { idleMs: 6000, totalMs: 12_000 });
    const dripping = subject.failure(subject.call(id, 'drip'));
    await subject.echo(id, AT_ONCE);
    const code = await dripping;
    expect(code === 'call-timeout', `call-timeout, not ${code}`);
    await until(() => server.dripping() === 0, 'the stream is given up');
    return subject.recover(id);
  },

  'dropped stream': (subject) => loseOneAnswer(subject, 'cut'),

  'torn connection': (subject) => loseOneAnswer(subject, 'tear'),
};
