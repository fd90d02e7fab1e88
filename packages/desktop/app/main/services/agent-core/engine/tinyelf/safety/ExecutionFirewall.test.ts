import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Machine, makeMachine } from './__fixtures__/machine.ts';

let machine: Machine;
beforeAll(async () => {
  machine = await makeMachine();
});
afterAll(() => machine.remove());

/** `<out>`, `<home>` and `<root>` stand for folders of the machine. */
const fill = (text: string) =>
  text.replaceAll('<out>', machine.outside).replaceAll('<home>', machine.home).replaceAll('<root>', machine.root);

type Expected = 'allow' | 'ask' | `deny ${string}`;

async function decide(access: Parameters<Machine['firewall']['check']>[0]): Promise<string> {
  const { decision, deniedBy, reason } = await machine.firewall.check(access);
  if (decision === 'deny') expect(reason).toMatch(/^\[firewall\] Blocked: /);
  if (decision === 'ask') expect(reason).toMatch(/^\S.*\.$/s);
  return deniedBy ? `${decision} ${deniedBy}` : decision;
}

describe('paths that are read', () => {
  it.each<[string, Expected]>([
    ['src/a.ts', 'allow'],
    ['.', 'allow'],
    ['<root>/src/a.ts', 'allow'],
    ['./src/../src/a.ts', 'allow'],
    ['near/a.ts', 'allow'],
    ['new/file.txt', 'allow'],
    ['name with space.txt', 'allow'],
    ['name%20with%20space.txt', 'allow'],
    ['100%.txt', 'allow'],
    ['src/ünïcode/空白.txt', 'allow'],
    ['~/work/src/a.ts', 'allow'],
    ['~me/work/src/a.ts', 'allow'],
    ['.git/config', 'allow'],
    ['.env.example', 'allow'],
    ['src/id_map.ts', 'allow'],
    ['src/environment.ts', 'allow'],
    ['file://<root>/src/a.ts', 'allow'],
    ['/dev/null', 'allow'],
    ['/dev/urandom', 'allow'],
    ['/usr/include/stdio.h', 'allow'],
    ['/proc/cpuinfo', 'allow'],
    ['.env', 'ask'],
    ['.env.local', 'ask'],
    ['.ENV', 'ask'],
    ['test/cert.pem', 'ask'],
    ['.npmrc', 'ask'],
    ['..', 'ask'],
    ['../notes.txt', 'ask'],
    ['src/../../notes.txt', 'ask'],
    ['~/notes.txt', 'ask'],
    ['~', 'ask'],
    ['<out>/file.txt', 'ask'],
    ['up/file.txt', 'ask'],
    ['updir/../file.txt', 'ask'],
    ['dangling', 'ask'],
    ['%2e%2e/notes.txt', 'ask'],
    ['%252e%252e%252fnotes.txt', 'ask'],
    ['..%2fnotes.txt', 'ask'],
    ['..\\notes.txt', 'ask'],
    ['．．/notes.txt', 'ask'],
    ['‥/notes.txt', 'ask'],
    ['..／notes.txt', 'ask'],
    ['..∕notes.txt', 'ask'],
    ['.\u200b./notes.txt', 'ask'],
    ['file://<out>/file.txt', 'ask'],
    ['/usr/lib/os-release.d', 'ask'],
    ['/', 'ask'],
    ['~/.ssh/id_rsa', 'deny credentials'],
    ['~/.SSH/id_rsa', 'deny credentials'],
    ['~/.ssh', 'deny credentials'],
    ['~/.ssh./id_rsa', 'deny credentials'],
    ['~/.s%73h/id_rsa', 'deny credentials'],
    ['~/.ｓｓｈ/config', 'deny credentials'],
    ['../.ssh/../.ssh/id_rsa', 'deny credentials'],
    ['<home>/.aws/credentials', 'deny credentials'],
    ['~/.gnupg/secring.gpg', 'deny credentials'],
    ['~/.config/gcloud/credentials.db', 'deny credentials'],
    ['~/.kube/config', 'deny credentials'],
    ['~/.docker/config.json', 'deny credentials'],
    ['~/.netrc', 'deny credentials'],
    ['~/.npmrc', 'deny credentials'],
    ['~/.pypirc', 'deny credentials'],
    ['~/.git-credentials', 'deny credentials'],
    ['~/.bash_history', 'deny credentials'],
    ['~/.mozilla/firefox/x/logins.json', 'deny credentials'],
    ['~/.config/google-chrome/Default/Cookies', 'deny credentials'],
    ['~/Library/Keychains/login.keychain-db', 'deny credentials'],
    ['~/.local/share/keyrings/login.keyring', 'deny credentials'],
    ['~/.password-store/a.gpg', 'deny credentials'],
    ['~/project/.env', 'deny credentials'],
    ['<out>/server.pem', 'deny credentials'],
    ['keys/id_ed25519', 'deny credentials'],
    ['key', 'deny credentials'],
    ['<root>/../../you/diary.txt', 'deny other-home'],
    ['~you/diary.txt', 'deny other-home'],
    ['~root/x', 'deny other-home'],
    ['/root/x', 'deny other-home'],
    ['/home/someone/x', 'deny other-home'],
    ['/Users/someone/x', 'deny other-home'],
    ['/etc/passwd', 'deny system'],
    ['etc/passwd', 'deny system'],
    ['/usr/../etc/passwd', 'deny system'],
    ['//etc//passwd', 'deny system'],
    ['%2Fetc%2Fpasswd', 'deny system'],
    ['file:///etc/passwd', 'deny system'],
    ['file:///%65tc/passwd', 'deny system'],
    ['FILE:/etc/passwd', 'deny system'],
    ['／etc／passwd', 'deny system'],
    ['/proc/self/environ', 'deny system'],
    ['/proc/self/cwd/src/a.ts', 'deny system'],
    ['/sys/kernel', 'deny system'],
    ['/dev/sda', 'deny system'],
    ['/boot/grub.cfg', 'deny system'],
    ['~/.config/TinyElf/conversations.db', 'deny app-data'],
    ['../.config/tinyelf/x', 'deny app-data'],
    ['', 'deny invalid-path'],
    ['a\0b', 'deny invalid-path'],
    ['a%00b', 'deny invalid-path'],
    ['round', 'deny invalid-path'],
    ['file://server/share/x', 'deny invalid-path'],
    ['C:\\Windows\\System32', 'deny invalid-path'],
    [`${'a/'.repeat(3000)}`, 'deny invalid-path'],
  ])('%s', async (given, expected) => {
    expect(await decide({ reads: [fill(given)] })).toBe(expected);
  });
});

describe('paths that are written', () => {
  it.each<[string, Expected]>([
    ['src/a.ts', 'allow'],
    ['new/deep/file.txt', 'allow'],
    ['near/new.ts', 'allow'],
    ['.gitignore', 'allow'],
    ['/dev/null', 'allow'],
    ['.', 'ask'],
    ['.env', 'ask'],
    ['.git/config', 'ask'],
    ['.git/hooks/pre-commit', 'ask'],
    ['.GIT/hooks/pre-commit', 'ask'],
    ['sub/.git/hooks/post-checkout', 'ask'],
    ['.vscode/tasks.json', 'ask'],
    ['..', 'deny outside-workspace'],
    ['../new.txt', 'deny outside-workspace'],
    ['<out>/new.txt', 'deny outside-workspace'],
    ['src/../../new.txt', 'deny outside-workspace'],
    ['%2e%2e%2fnew.txt', 'deny outside-workspace'],
    ['..\\new.txt', 'deny outside-workspace'],
    ['‥／new.txt', 'deny outside-workspace'],
    ['~/.bashrc', 'deny outside-workspace'],
    ['~/workother/x', 'deny outside-workspace'],
    ['up/new.txt', 'deny link'],
    ['dangling', 'deny link'],
    ['near/../up/new.txt', 'deny link'],
    ['updir/../new.txt', 'deny outside-workspace'],
    ['etc/cron.d/x', 'deny system'],
    ['/etc/hosts', 'deny system'],
    ['/usr/local/bin/x', 'deny system'],
    ['/usr/include/x.h', 'deny system'],
    ['/dev/sda', 'deny system'],
    ['~/.ssh/authorized_keys', 'deny credentials'],
    ['key', 'deny credentials'],
    ['<home>/../you/x', 'deny other-home'],
    ['~/.config/TinyElf/settings.json', 'deny app-data'],
  ])('%s', async (given, expected) => {
    expect(await decide({ writes: [fill(given)] })).toBe(expected);
  });
});

describe('command lines', () => {
  it.each<[string, Expected]>([
    // Understood, and in the workspace
    ['ls -la src', 'allow'],
    ['cat src/a.ts | head -n 5 | wc -l', 'allow'],
    ['cd src && ls .. && cat a.ts', 'allow'],
    ['grep -rn "/etc/passwd" src', 'allow'],
    ['rg -n TODO src', 'allow'],
    ['git status', 'allow'],
    ['git -C src diff HEAD~1', 'allow'],
    ['git log --oneline -n 5', 'allow'],
    ['find . -name "*.ts" -newer src/a.ts', 'allow'],
    ['echo hi > src/new.txt', 'allow'],
    ['echo "$HOME" 2>/dev/null', 'allow'],
    ['mkdir -p out && cp src/a.ts out/', 'allow'],
    ['rm -rf src/deep', 'allow'],
    ['mv src/a.ts src/c.ts', 'allow'],
    ['X=src; cat "$X/a.ts"', 'allow'],
    ['cat <<EOF > src/new.txt\n/etc/passwd\nEOF', 'allow'],
    ['cat {src,near}/a.ts', 'allow'],
    ['cat src/*.ts', 'allow'],
    ['(cd src; cat a.ts)', 'allow'],
    ['/bin/cat src/a.ts', 'allow'],
    ['LC_ALL=C sort src/a.ts 2>&1', 'allow'],
    // Outside, for reading
    ['cat ../notes.txt', 'ask'],
    ['cat ~/notes.txt', 'ask'],
    ['cat $HOME/notes.txt', 'ask'],
    ['cat "$' + '{HOME}"/notes.txt', 'ask'],
    ['cd .. && cat notes.txt', 'ask'],
    ['cd src; cd ../..; ls', 'ask'],
    ['cat up/file.txt', 'ask'],
    ['cat updir/../file.txt', 'ask'],
    ['cat < ../notes.txt', 'ask'],
    ['cat u*/file.txt', 'ask'],
    ['cat .e*', 'ask'],
    ['ls .*', 'ask'],
    ['ls -R /', 'ask'],
    // Can't be told
    ['cat $(echo src/a.ts)', 'ask'],
    ['cat `echo src/a.ts`', 'ask'],
    ['cat $UNKNOWN', 'ask'],
    ['cat $X', 'ask'],
    ['X="a b"; cat $X', 'ask'],
    ['cat <(ls)', 'ask'],
    ['eval "ls"', 'ask'],
    ['source src/a.sh', 'ask'],
    ['. src/a.sh', 'ask'],
    ['python -c "print(1)"', 'ask'],
    ['node -e "1"', 'ask'],
    ['sh -c "ls src"', 'ask'],
    ['echo bHM= | base64 -d | sh', 'ask'],
    ['alias cat=rm; cat src/a.ts', 'ask'],
    ['cat() { rm "$@"; }; cat src/a.ts', 'ask'],
    ['PATH=.:$PATH; ls', 'ask'],
    ['LD_PRELOAD=./x.so ls', 'ask'],
    ['for f in src/*; do cat "$f"; done', 'ask'],
    ['if true; then ls; fi', 'ask'],
    ['ls | xargs cat', 'ask'],
    ['find . -name "*.ts" -exec cat {} \\;', 'ask'],
    ['find . -delete', 'ask'],
    ['npm test', 'ask'],
    ['./run.sh', 'ask'],
    ['git commit -m x', 'ask'],
    ['git -c core.pager=x log', 'ask'],
    ['git diff --output=src/x', 'ask'],
    ['ln -s src other', 'ask'],
    ['mv near src/deep/near; echo x > src/deep/near', 'ask'],
    ['rm -rf .', 'ask'],
    ['cat "unterminated', 'ask'],
    ['cd -', 'ask'],
    ['cat ~+/src/a.ts', 'ask'],
    ['rg --pre ./x pat', 'ask'],
    ['sort -o src/a.ts src/a.ts', 'ask'],
    ['curl https://example.com', 'ask'],
    ['env', 'ask'],
    ['cp -r src new', 'ask'],
    ['find {.,-delete}', 'ask'],
    ['git -C {src,near} status', 'ask'],
    ['{touch,src/x}', 'ask'],
    ['cp -L near/a.ts src/c.ts', 'ask'],
    ['chmod -RL 700 src', 'ask'],
    ['wc --files0-from=src/a.ts', 'ask'],
    ['cat src/{a..c}.ts', 'ask'],
    ['sudo ls', 'ask'],
    ['', 'allow'],
    // Off limits
    ['cat ~/.ssh/id_rsa', 'deny credentials'],
    ['cat $HOME/.ssh/id_rsa', 'deny credentials'],
    ["cat ~/.s''sh/id_rsa", 'deny credentials'],
    ['cat ~/.s\\sh/id_rsa', 'deny credentials'],
    ["cat $'\\x2fetc\\x2fpasswd'", 'deny system'],
    ['cat ~/.ss?/id_*', 'deny credentials'],
    ['cat ~/.{ssh,aws}/credentials', 'deny credentials'],
    ['cat ~you/diary.txt', 'deny other-home'],
    ['cd /etc && cat passwd', 'deny system'],
    ['cd / && cat etc/passwd', 'deny system'],
    ['X=/etc/passwd; cat $X', 'deny system'],
    ['X=/etc; Y=$X/passwd && cat "$Y"', 'deny system'],
    ['cat < /etc/passwd', 'deny system'],
    ['bash -c "cat /etc/shadow"', 'deny system'],
    ['bash <<EOF\ncat /etc/shadow\nEOF', 'deny system'],
    ['bash <<< "cat /etc/shadow"', 'deny system'],
    ['eval cat /etc/shadow', 'deny system'],
    ['echo $(cat /etc/shadow)', 'deny system'],
    ['echo "`cat /etc/shadow`"', 'deny system'],
    ['cat <<EOF\n$(cat /etc/shadow)\nEOF', 'deny system'],
    ['diff <(cat /etc/shadow) src/a.ts', 'deny system'],
    ['python -c "open(\'/etc/shadow\')"', 'deny system'],
    ['sudo cat /etc/shadow', 'deny system'],
    ['env -i cat /etc/shadow', 'deny system'],
    ['timeout 5 cat /etc/shadow', 'deny system'],
    ['xargs -a /etc/passwd cat', 'deny system'],
    ['grep -f/etc/passwd src', 'deny system'],
    ['grep --file=/etc/passwd src', 'deny system'],
    ['git --git-dir=/etc/x status', 'deny system'],
    ['git -C /etc status', 'deny system'],
    ['foo --config=/etc/shadow', 'deny system'],
    ['docker run -v /etc:/x a', 'deny system'],
    ['for f in /etc/passwd; do cat $f; done', 'deny system'],
    ['true || cat /etc/passwd', 'deny system'],
    ['cat etc/passwd', 'deny system'],
    ['find / -name x -exec cat /etc/shadow \\;', 'deny system'],
    ['cat key', 'deny credentials'],
    ['cat /proc/self/environ', 'deny system'],
    ['echo x > /dev/tcp/127.0.0.1/80', 'deny system'],
    ['cat ~/.config/TinyElf/conversations.db', 'deny app-data'],
    ['cat src/a.ts\0', 'deny invalid-path'],
    // Changes outside
    ['echo x > ../new.txt', 'deny outside-workspace'],
    ['echo x >> ~/.bashrc', 'deny outside-workspace'],
    ['echo x >| ../new.txt', 'deny outside-workspace'],
    ['ls &> ../new.txt', 'deny outside-workspace'],
    ['cat <<EOF > ../new.txt\nx\nEOF', 'deny outside-workspace'],
    ['{ echo x; } > ../new.txt', 'deny outside-workspace'],
    ['cd .. && touch new.txt', 'deny outside-workspace'],
    ['cd src/../.. ; rm -rf x', 'deny outside-workspace'],
    ['(cd ..; touch new.txt)', 'deny outside-workspace'],
    ['cd up && touch new.txt', 'deny link'],
    ['cd updir && touch ../new.txt', 'deny outside-workspace'],
    ['tee ../new.txt', 'deny outside-workspace'],
    ['ls | tee -a up/new.txt', 'deny link'],
    ['dd if=src/a.ts of=../new.txt', 'deny outside-workspace'],
    ['cp src/a.ts ..', 'deny outside-workspace'],
    ['cp src/a.ts up -S x', 'deny link'],
    ['cp -t.. src/a.ts', 'deny outside-workspace'],
    ['cp --target-directory=.. src/a.ts', 'deny outside-workspace'],
    ['install src/a.ts up/x -m 755', 'deny link'],
    ['mv ../notes.txt .', 'deny outside-workspace'],
    ['rm -rf ~', 'deny outside-workspace'],
    ['rm -rf "$HOME"', 'deny outside-workspace'],
    ['chmod 777 ../notes.txt', 'deny outside-workspace'],
    ['ln -s ../x here', 'deny outside-workspace'],
    ['ln ../notes.txt here', 'deny outside-workspace'],
    ['sed -i s/a/b/ ../notes.txt', 'deny outside-workspace'],
    ['tar -xf src/a.tar -C ..', 'deny outside-workspace'],
    ['tar xzf src/a.tgz --directory=..', 'deny outside-workspace'],
    ['rsync -a src/ ../copy', 'deny outside-workspace'],
    ['find .. -delete', 'deny outside-workspace'],
    ['find .. -name x -exec rm {} +', 'deny outside-workspace'],
    ['X=..; touch $X/new.txt', 'deny outside-workspace'],
    ['touch u*/new.txt', 'deny link'],
    ['touch {src,..}/new.txt', 'deny outside-workspace'],
    ['nice rm -rf ../x', 'deny outside-workspace'],
    ['cp <out>/file.txt dangling', 'deny link'],
    ['cp src/dangling .', 'deny link'],
    ["touch $'x\\x2fy/../../../new.txt'", 'deny outside-workspace'],
    ["touch $'x\\x2fy/../../z'", 'deny outside-workspace'],
    ['Y=..; X=~; touch $Y$X', 'deny outside-workspace'],
    ['uniq src/a.ts ../new.txt', 'deny outside-workspace'],
    ['cd nowhere; touch ../new.txt', 'deny outside-workspace'],
    ['touch $(echo x)/../../../new.txt ../y', 'deny outside-workspace'],
    ['/usr/bin/touch ../new.txt', 'deny outside-workspace'],
  ])('%s', async (command, expected) => {
    expect(await decide({ command: fill(command) })).toBe(expected);
  });

  it('goes without a look only where it was read whole', async () => {
    expect(await decide({ command: `echo ${'x'.repeat(30_000)}` })).toBe('ask');
    expect(await decide({ command: `${'sh -c "'.repeat(3)}ls` })).toBe('ask');
    expect(await decide({ command: `echo ${'$('.repeat(500)}` })).toBe('ask');
  });
});

describe('arguments of other tools', () => {
  it.each<[Record<string, unknown>, Expected]>([
    [{ text: 'Hello, and/or goodbye', n: 3, on: true, none: null }, 'allow'],
    [{ path: 'src/a.ts' }, 'allow'],
    [{ path: '<root>/src/a.ts' }, 'allow'],
    [{ url: 'https://example.com/etc/passwd' }, 'allow'],
    [{ route: '/no-such-folder-at-the-top/users/7' }, 'allow'],
    [{ text: 'cat /etc/passwd\nsecond line' }, 'allow'],
    [{ path: '<out>/file.txt' }, 'ask'],
    [{ path: '../x' }, 'ask'],
    [{ path: 'a/../../x' }, 'ask'],
    [{ path: '..%2fx' }, 'ask'],
    [{ path: '.env' }, 'ask'],
    [{ path: '.git/hooks/../hooks/pre-commit' }, 'ask'],
    [{ deep: [{ list: ['x', '~/notes.txt'] }] }, 'ask'],
    [{ command: 'npm test' }, 'ask'],
    [{ path: '/etc/passwd' }, 'deny system'],
    [{ path: '/no-such-folder-at-the-top/../etc/passwd' }, 'deny system'],
    [{ deep: [{ list: ['x', { y: '~/.ssh/id_rsa' }] }] }, 'deny credentials'],
    [{ files: { '/etc/passwd': 'x' } }, 'deny system'],
    [{ uri: 'file:///etc/passwd' }, 'deny system'],
    [{ path: 'id_rsa' }, 'deny credentials'],
    [{ path: 'etc/../etc/passwd' }, 'deny system'],
    [{ path: '\\\\server\\share\\x' }, 'ask'],
    [{ path: 'C:\\Users\\x' }, 'deny invalid-path'],
    [{ cmd: 'cat /etc/shadow' }, 'deny system'],
    // Names of what is in the workspace, and leads out of it.
    [{ path: 'etc/shadow' }, 'deny system'],
    [{ path: 'key' }, 'deny credentials'],
    [{ path: 'up/file.txt' }, 'ask'],
    [{ path: 'dangling' }, 'ask'],
    [{ path: 'up\\file.txt' }, 'ask'],
    [{ path: 'near/a.ts' }, 'allow'],
    [{ text: 'no-such-thing/in here' }, 'allow'],
    [{ path: 'a\0b', empty: '', '': [] }, 'allow'],
    // JSON within a text.
    [{ input: '{"path":"/etc/shadow"}' }, 'deny system'],
    [{ input: ' ["src/a.ts", {"deep": "[\\"~/.ssh/id_rsa\\"]"}]' }, 'deny credentials'],
    [{ input: '{"path": "/etc/shadow"' }, 'allow'],
  ])('%j', async (args, expected) => {
    expect(await decide({ foreignArguments: JSON.parse(fill(JSON.stringify(args))) })).toBe(expected);
  });

  it('asks about what is too much to look through', async () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 50; level++) deep = [deep];
    expect(await decide({ foreignArguments: { deep } })).toBe('ask');
    expect(await decide({ foreignArguments: { many: Array.from({ length: 6000 }, () => 'x') } })).toBe('ask');
  });
});

describe('the rest', () => {
  it('takes the strictest of all that a call touches', async () => {
    expect(await decide({})).toBe('allow');
    expect(await decide({ reads: ['src/a.ts', '../x'], writes: ['src/b.ts'] })).toBe('ask');
    expect(await decide({ reads: ['../x'], writes: ['/etc/x'] })).toBe('deny system');
  });

  it('leaves the web to the tool that fetches, and takes file: for what it is', async () => {
    expect(await decide({ url: 'https://example.com/etc/passwd' })).toBe('allow');
    expect(await decide({ url: ' file:///etc/passwd' })).toBe('deny system');
    expect(await decide({ url: 'gopher://x' })).toBe('ask');
  });

  it('lets people work where they chose to, in their home too', async () => {
    const { home, workspace } = machine;
    const { ExecutionFirewall } = await import('./ExecutionFirewall.ts');
    const wide = new ExecutionFirewall({
      workspace: await (workspace.constructor as typeof import('../workspace.ts').Workspace).open(home),
      home,
      appFolders: [path.join(home, '.config/TinyElf')],
      platform: 'linux',
    });
    expect(await wide.check({ writes: ['notes.txt'] })).toMatchObject({ decision: 'allow' });
    expect(await wide.check({ reads: ['.'] })).toMatchObject({ decision: 'ask' });
    expect(await wide.check({ command: 'grep -r key .' })).toMatchObject({ decision: 'ask' });
    expect(await wide.check({ reads: ['.ssh/id_rsa'] })).toMatchObject({ deniedBy: 'credentials' });
    expect(await wide.check({ reads: ['.config/TinyElf/x'] })).toMatchObject({ deniedBy: 'app-data' });
  });
});
