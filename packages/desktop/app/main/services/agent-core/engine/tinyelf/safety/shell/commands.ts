/** What the firewall knows of a command. */
export interface KnownCommand {
  /**
   * What the words that are no options are: files that are read, files that are changed, sources and a target (`copy`), or
   * just text. `either`: files that are read, or changed by what the command is told to do.
   */
  operands: 'read' | 'write' | 'copy' | 'text' | 'either';
  /** The first of them is an expression, unless an option holds it already. */
  pattern?: true;
  /** From which operand on they are changed instead of read, counted from 0. */
  writesFrom?: number;
  /** Options that make the command do what this table doesn't say. */
  unknownOptions?: RegExp;
  /** With these options, operands are changed. */
  writingOptions?: RegExp;
  /** Why the person has to look at it when an operand is a folder. */
  folders?: string;
  /** Why the person has to look at it in any case. */
  asks?: string;
  /** It moves links or folders, so that later paths of the same command line may lead elsewhere. */
  moves?: true;
}

const reads = (more: Partial<KnownCommand> = {}): KnownCommand => ({ operands: 'read', ...more });
const writes = (more: Partial<KnownCommand> = {}): KnownCommand => ({ operands: 'write', ...more });
const text: KnownCommand = { operands: 'text' };

/** GNU programs take any beginning of a long option that is unique, so only beginnings are looked for. */
export const COMMANDS: Readonly<Record<string, KnownCommand>> = {
  // Say something
  echo: text,
  printf: { operands: 'text', unknownOptions: /^-v/ },
  true: text,
  false: text,
  ':': text,
  pwd: text,
  whoami: text,
  id: text,
  uname: text,
  hostname: { operands: 'write', asks: 'It may rename this machine.' },
  date: { operands: 'text', unknownOptions: /^(-[a-zA-Z]*[fsr]|--(f|s|r))/ },
  sleep: text,
  seq: text,
  which: text,
  exit: text,
  // Read
  // What links in a folder lead to, with all that is below it.
  ls: reads({ unknownOptions: /^(-[a-zA-Z]*[LH]|--de)/ }),
  cat: reads(),
  head: reads(),
  tail: reads(),
  wc: reads({ unknownOptions: /^--f/ }),
  nl: reads(),
  tac: reads(),
  rev: reads(),
  cut: reads(),
  tr: text,
  paste: reads(),
  join: reads(),
  comm: reads(),
  fold: reads(),
  column: reads(),
  diff: reads({ folders: 'It compares what links in a folder lead to.' }),
  cmp: reads(),
  stat: reads(),
  du: reads({ unknownOptions: /^(-[a-zA-Z]*[DHLX]|--(f|de|exclude-))/ }),
  df: reads(),
  od: reads(),
  file: reads({ unknownOptions: /^(-[a-zA-Z]*[CfmM]|--(c|f|m))/ }),
  sort: reads({ unknownOptions: /^(-[a-zA-Z]*[oT]|--(o|c|f|t))/, writingOptions: /^(-[a-zA-Z]*o|--o)/ }),
  uniq: reads({ writesFrom: 1 }),
  tree: reads({ unknownOptions: /^(-[a-zA-Z]*[loR]|--(f|o))/, writingOptions: /^(-[a-zA-Z]*o|--o)/ }),
  basename: text,
  dirname: text,
  realpath: reads(),
  readlink: reads(),
  // What is looked for as a variable may be a command that runs for its index.
  test: reads({ unknownOptions: /^-[vR]$/ }),
  '[': reads({ unknownOptions: /^-[vR]$/ }),
  cd: reads(),
  md5sum: reads({ unknownOptions: /^(-c|--c)/ }),
  sha1sum: reads({ unknownOptions: /^(-c|--c)/ }),
  sha256sum: reads({ unknownOptions: /^(-c|--c)/ }),
  sha512sum: reads({ unknownOptions: /^(-c|--c)/ }),
  cksum: reads({ unknownOptions: /^(-c|--c)/ }),
  grep: reads({ pattern: true, unknownOptions: /^(-[a-zA-Z]*R|--de)/ }),
  egrep: reads({ pattern: true, unknownOptions: /^(-[a-zA-Z]*R|--de)/ }),
  fgrep: reads({ pattern: true, unknownOptions: /^(-[a-zA-Z]*R|--de)/ }),
  rg: reads({ pattern: true, unknownOptions: /^(-[a-zA-Z]*[LE]|--(follow|pre|hostname-bin|ignore-file))/ }),
  // Change
  mkdir: writes(),
  rmdir: writes(),
  rm: writes(),
  touch: writes(),
  tee: writes(),
  truncate: writes(),
  chmod: writes({ unknownOptions: /^(-[a-zA-Z]*[HL]|--de)/ }),
  chown: writes({ asks: 'It changes whose files these are.' }),
  chgrp: writes({ asks: 'It changes whose files these are.' }),
  cp: {
    operands: 'copy',
    writingOptions: /^(-[a-zA-Z]*[tls]|--(t|l|s))/,
    // Whole folders: links in them, and links below the target, are more than can be looked at.
    unknownOptions: /^(-[a-zA-Z]*[adRrPpLHtls]|--(a|r|no-d|p|de|t|l|s))/,
  },
  mv: writes({ moves: true }),
  install: { operands: 'copy', writingOptions: /^(-[a-zA-Z]*[dt]|--(d|t))/, unknownOptions: /^(-[a-zA-Z]*t|--(t|s))/ },
  ln: writes({ asks: 'It makes a link.', moves: true }),
  link: writes({ asks: 'It makes a link.', moves: true }),
  unlink: writes(),
  shred: writes(),
  // Known well enough to tell what is changed, not well enough to go without a look
  sed: {
    operands: 'either',
    pattern: true,
    writingOptions: /^(-[a-zA-Z]*i|--i)/,
    asks: 'Its script may write and run.',
  },
  rsync: { operands: 'copy', asks: 'It may copy to other machines and run programs.', moves: true },
  unzip: { operands: 'write', asks: 'It may write many files.', moves: true },
  zip: { operands: 'write', asks: 'It may write many files.' },
  gzip: { operands: 'write', asks: 'It replaces files.' },
  gunzip: { operands: 'write', asks: 'It replaces files.' },
  patch: { operands: 'write', asks: 'It changes the files that the patch names.', moves: true },
  mkfifo: writes({ asks: 'It makes a pipe.' }),
  mknod: writes({ asks: 'It makes a device.' }),
  mount: writes({ asks: 'It changes what folders lead to.', moves: true }),
};

/** Subcommands of git that only read, as long as no configuration makes them do more. */
export const GIT_READS = new Set([
  'status',
  'diff',
  'log',
  'show',
  'rev-parse',
  'ls-files',
  'blame',
  'describe',
  'shortlog',
]);

/** Commands that run another command: the rest of their words, after options, assignments and numbers. */
export const WRAPPERS = new Set([
  'builtin',
  'busybox',
  'chroot',
  'command',
  'doas',
  'env',
  'exec',
  'flock',
  'ionice',
  'nice',
  'nohup',
  'parallel',
  'setsid',
  'stdbuf',
  'sudo',
  'time',
  'timeout',
  'unshare',
  'watch',
  'xargs',
]);

/** Shells: what follows `-c` is a command line. */
export const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'su']);

/** Set variables of the shell itself. */
export const DECLARATIONS = new Set(['export', 'declare', 'local', 'readonly', 'typeset']);

/** Folders whose programs are what their names say. */
const PROGRAM_FOLDERS = /^\/(usr\/local\/|usr\/|opt\/homebrew\/)?s?bin\/([^/]+)$/;

/** The name of the program that a command's first word starts. */
export const programOf = (word: string): string => PROGRAM_FOLDERS.exec(word)?.[2] ?? word;

/** Variables that change nothing about which files and programs a command uses. */
export const isHarmlessVariable = (name: string): boolean =>
  /^(LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CI|NODE_ENV|TERM|COLUMNS|LINES)$/.test(name);

/** Variables of which a shell or common programs take paths, options or programs. */
export const isPowerfulVariable = (name: string): boolean =>
  /^(PATH|IFS|CDPATH|ENV|HOME|PWD|OLDPWD|TMPDIR|PS4|SHELL|SHELLOPTS|EDITOR|VISUAL|PAGER|LS_COLORS)$/.test(name) ||
  /^(GLOBIGNORE|EXECIGNORE|POSIXLY_CORRECT)$/.test(name) ||
  // Bash works out what they are set to, and that can run commands.
  /^(OPTIND|RANDOM|SRANDOM|HISTCMD)$/.test(name) ||
  /^(BASH|LD_|DYLD_|GIT_|NODE_|NPM_|npm_|PYTHON|PERL|RUBY|JAVA_|LESS|GREP_|RIPGREP_|TAR_|RSYNC_|SSH_|XDG_)/.test(name);
