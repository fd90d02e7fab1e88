// What a stdio server can do wrong. Each fault gets the subject and throws when something is not as it should be; it returns
// the time to recover in milliseconds, where there is something to recover from.
import { expect, until } from './subject.mjs';

const MIB = 1024 * 1024;
/** A program that fails at the first question is started once more without it: one attempt is two starts. */
const ONE_ATTEMPT = 2;
/** Pages of tools that no list needs. */
const MANY_PAGES = 2000;

/** A server that can't be started at first: it is seen to fail, and comes without being asked for again. */
async function failsToStart(subject, behaviour, limits) {
  const id = await subject.addStdio(subject.command({ behaviour, faulty: ONE_ATTEMPT }), limits);
  await until(() => subject.stateOf(id).status === 'waiting-to-retry', 'the failed start is noticed');
  return subject.recover(id);
}

/** A healthy call beside what the server sends besides. */
async function staysUsable(subject, id, count = 20) {
  await subject.echo(id, count);
  expect(subject.stateOf(id).status === 'ready', 'a server that is ready');
}

/** Pages without an end: listing ends all the same. */
async function listsToAnEnd(subject, pages) {
  const id = await subject.addStdio(subject.command({ behaviour: [pages, `notes=${subject.notesFile}`] }));
  await staysUsable(subject, id);
  const listed = subject.notes().filter((note) => note.startsWith('list ')).length;
  expect(listed < MANY_PAGES, `an end to listing, not ${listed} pages`);
}

export const stdioFaults = {
  'exit in start': (subject) => failsToStart(subject, ['exit-at-once']),

  'hang in start': (subject) => failsToStart(subject, ['silent-probe', 'silent-start'], { startMs: 5000 }),

  'death after each start': (subject) => failsToStart(subject, ['die-after-start']),

  'removal in start': async (subject) => {
    const id = await subject.addStdio(subject.command({ behaviour: ['stubborn', 'silent-probe', 'silent-start'] }));
    await until(() => subject.starts() > 0, 'it is being started');
    await subject.service.remove(id);
    expect(subject.service.listServers().length === 0, 'no server any more');
  },

  'exit in a call': async (subject) => {
    const id = await subject.addStdio(subject.command());
    await subject.service.connect(id);
    // What was answered before the exit is still in the pipe when the server ends.
    const answered = subject.echo(id, 20);
    const unanswered = subject.call(id, 'silent');
    const codes = await Promise.all([subject.failure(unanswered), subject.failure(subject.call(id, 'crash'))]);
    await answered;
    expect(
      codes.every((code) => code === 'call-lost'),
      `call-lost for what was not answered, not ${codes}`,
    );
    return subject.recover(id);
  },

  'end of output in a call': async (subject) => {
    const id = await subject.addStdio(subject.command());
    await subject.service.connect(id);
    const answered = subject.echo(id, 20);
    const code = await subject.failure(subject.call(id, 'hang-up'));
    await answered;
    expect(code === 'call-lost', `call-lost, not ${code}`);
    return subject.recover(id);
  },

  'silence in a call': async (subject) => {
    const id = await subject.addStdio(subject.command(), { idleMs: 5000 });
    await subject.service.connect(id);
    const silent = subject.failure(subject.call(id, 'silent'));
    await staysUsable(subject, id);
    const code = await silent;
    expect(code === 'call-timeout', `call-timeout, not ${code}`);
    return subject.recover(id);
  },

  'noise on stdout': async (subject) => {
    const id = await subject.addStdio(subject.command({ behaviour: ['banner', 'noise'] }));
    await staysUsable(subject, id);
  },

  'line of 11 MiB': async (subject) => {
    const id = await subject.addStdio(subject.command());
    const [[{ text }]] = await Promise.all([subject.call(id, 'big', { bytes: 11 * MIB }), subject.echo(id, 20)]);
    expect(text.length === 11 * MIB, 'all of it');
    await staysUsable(subject, id);
  },

  'flood of stderr': async (subject) => {
    const id = await subject.addStdio(subject.command());
    const floods = [subject.call(id, 'stderr', { lines: true }), subject.call(id, 'stderr')];
    await Promise.all([...floods, subject.echo(id, 20)]);
    await staysUsable(subject, id);
  },

  'split UTF-8': async (subject) => {
    const id = await subject.addStdio(subject.command());
    const [{ text }] = await subject.call(id, 'split');
    expect(text === 'smørrebrød 日本 🦊', `the characters as they were, not ${text}`);
    await staysUsable(subject, id);
  },

  'cursor that stays the same': (subject) => listsToAnEnd(subject, 'endless-cursor'),

  'endless cursor': (subject) => listsToAnEnd(subject, 'new-cursors'),

  'list_changed storm': async (subject) => {
    const id = await subject.addStdio(subject.command({ behaviour: [`notes=${subject.notesFile}`] }));
    await subject.service.connect(id);
    await Promise.all([subject.call(id, 'storm'), subject.echo(id, 20)]);
    const tools = await subject.service.listServerTools(id);
    expect(
      tools.some(({ name }) => name === 'storm_49'),
      'the last tool in the list',
    );
    const listings = subject.notes().filter((note) => note.startsWith('list ')).length;
    // 50 changes in half a second or more, on a busy machine.
    expect(listings < 25, `fewer listings than changes, not ${listings}`);
    await staysUsable(subject, id);
  },
};
