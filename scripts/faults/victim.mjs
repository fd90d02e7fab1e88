// A main process that is to be killed: victim.mjs MARK FOLDER. Says `running` when its servers do.
import { createSubject, STUBBORN } from './subject.mjs';

process.once('disconnect', () => process.exit());
const [mark, folder] = process.argv.slice(2);
const subject = await createSubject({ mark, folder });
const stubborn = subject.command({ program: STUBBORN });
const wrapped = ['sh', '-c', '"$@"; exit $?', 'wrapper', ...stubborn];
for (const command of [stubborn, wrapped]) await subject.service.connect(await subject.addStdio(command));
process.send('running');
