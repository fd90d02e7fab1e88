/**
 * The program of the watcher process. It is started from this function's own text, so that it needs no file of its own beside
 * a bundled main: it must use nothing from outside itself but globals.
 *
 * It reads lines `+mark pid` and `-mark` from its input. When the input ends, main is gone, in whatever way; what has not been
 * taken back by then is killed: group, descendants, and whatever carries the mark. Then the watcher ends too. On Linux it
 * looks every second who belongs to a tree: a detached process with an environment of its own can't be found any more once
 * its parent is gone.
 */
export function watcherProgram(): void {
  const { readFileSync, readdirSync } = process.getBuiltinModule('node:fs');
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const isLinux = process.platform === 'linux';
  const LOOK_MS = 1000;
  const FIRST_LOOK_MS = 100;
  interface Tree {
    pid: number;
    startTime: string;
    /** Start times of its members by pid, as last seen. */
    members: Map<number, string>;
  }
  const trees = new Map<string, Tree>();

  const read = (file: string): string => {
    try {
      return readFileSync(file, 'latin1');
    } catch {
      return '';
    }
  };
  const stat = (pid: number | string) => {
    const line = read(`/proc/${pid}/stat`);
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const alive = line !== '' && fields[0] !== 'Z' && fields[0] !== 'X';
    return {
      pid: Number(pid),
      alive,
      parent: Number(fields[1]),
      group: Number(fields[2]),
      startTime: fields[19] ?? '',
    };
  };
  const kill = (pid: number): void => {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  };

  const markOf = (pid: number): string | undefined =>
    /(?:^|\0)TINYELF_PROCESS_MARK=([^\0]*)/.exec(read(`/proc/${pid}/environ`))?.[1];
  /** As the table of processes tells it. */
  const carries = (entry: ReturnType<typeof stat>, mark: string, tree: Tree): boolean => {
    if (markOf(entry.pid) === mark) return true;
    const number = mark.split('-')[1] ?? '';
    const limit = /^Max msgqueue size +(\d+)/m.exec(read(`/proc/${entry.pid}/limits`))?.[1];
    if (limit !== number || Number(entry.startTime) < Number(tree.startTime)) return false;
    for (let at = entry; at.alive; at = stat(at.parent)) {
      const nearest = markOf(at.pid);
      if (nearest?.split('-')[1] === number) return nearest === mark;
    }
    return true;
  };

  /** Looks at all processes, and remembers whose they are. `thoroughly`: by their marks too, which costs. */
  const look = (thoroughly: boolean): void => {
    const all = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(stat)
      .filter((entry) => entry.alive && entry.pid !== process.pid);
    for (const [mark, tree] of trees) {
      const root = all.find((entry) => entry.pid === tree.pid);
      // A root that is gone leaves its number to its group as long as that has members; another process with it is not ours.
      const leads = tree.pid > 0 && (!root || root.startTime === tree.startTime);
      const members = new Set<number>();
      for (const entry of all) {
        const { pid, group, startTime } = entry;
        const isKnown = tree.members.get(pid) === startTime || (leads && group === tree.pid);
        if (isKnown || (thoroughly && carries(entry, mark, tree))) members.add(pid);
      }
      for (let size = -1; size !== members.size; ) {
        size = members.size;
        for (const entry of all) if (members.has(entry.parent)) members.add(entry.pid);
      }
      tree.members = new Map(all.filter(({ pid }) => members.has(pid)).map(({ pid, startTime }) => [pid, startTime]));
    }
  };

  /** One pass over all processes; returns how many were killed. */
  const killOnLinux = (): number => {
    look(true);
    const doomed = [...trees.values()].flatMap(({ members }) => [...members.keys()]);
    for (const pid of doomed) kill(pid);
    return doomed.length;
  };

  const killElsewhere = (): void => {
    for (const { pid } of trees.values()) {
      if (pid <= 0) continue;
      if (process.platform === 'win32') spawnSync('taskkill', ['/PID', String(pid), '/T', '/F'], { windowsHide: true });
      else kill(-pid);
    }
  };

  const finish = (): void => {
    if (trees.size === 0) process.exit();
    if (!isLinux) {
      killElsewhere();
      process.exit();
    }
    let passes = 0;
    const pass = (): void => {
      // Twenty quiet passes would be too many, one too few: a process may just be starting another.
      if (killOnLinux() === 0 && passes > 2) process.exit();
      if (++passes > 60) process.exit(1);
      setTimeout(pass, 30);
    };
    pass();
  };

  const take = (line: string): void => {
    const [mark, pid] = line.slice(1).split(' ');
    if (!mark) return;
    if (line.startsWith('+')) {
      trees.set(mark, {
        pid: Number(pid ?? 0),
        startTime: pid && isLinux ? stat(pid).startTime : '',
        members: new Map(),
      });
      if (isLinux) setTimeout(look, FIRST_LOOK_MS, false).unref();
      return;
    }
    // Main has ended the tree, as far as main could find it.
    for (const [member, startTime] of trees.get(mark)?.members ?? []) {
      const now = stat(member);
      if (now.alive && now.startTime === startTime) kill(member);
    }
    trees.delete(mark);
  };

  if (isLinux) {
    setInterval(() => {
      if (trees.size > 0) look(false);
    }, LOOK_MS).unref();
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  process.stdin.on('error', finish);
  process.stdin.on('end', finish);
}
