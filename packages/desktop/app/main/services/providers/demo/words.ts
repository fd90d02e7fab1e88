/** Words in the sense of Unicode, so that Japanese, Thai or Russian text has some too. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Words that say nothing about which tool is meant. */
const FILLERS = new Set(
  (
    'a an and are as at be by can could do does for from give has have here hey hi hello how i if in into is it its ' +
    'just let like me my of off on one only or our please should so some tell than thanks that the their them then there ' +
    'these this to tool tools us use used using want was we what when where which will with would you your'
  ).split(' '),
);

/**
 * Words that people use for one another when they talk about tools. The first line of other languages is what it takes to ask
 * for a file, a list or a search in them.
 */
const GROUPS: readonly (readonly string[])[] = [
  [
    ...['read', 'open', 'show', 'view', 'display', 'cat', 'print', 'content', 'load'],
    ...['lies', 'zeige', 'öffne', 'lire', 'lis', 'ouvre', 'affiche', 'lee', 'leer', 'abre', 'muestra', 'leggi', 'apri'],
    ...[
      'прочитай',
      'открой',
      'покажи',
      '読む',
      '読ん',
      '読み',
      '開く',
      '開い',
      '見せ',
      '读',
      '读取',
      '打开',
      '查看',
      '显示',
      '讀取',
      '打開',
    ],
    ...['읽', '읽어', '읽어줘', '열어', '열어줘', '보여', '보여줘'],
  ],
  [
    ...[
      'list',
      'ls',
      'enumerate',
      'every',
      'all',
      'liste',
      'lister',
      'lista',
      'elenca',
      'список',
      '一覧',
      'リスト',
      '列出',
      '列表',
      '목록',
    ],
  ],
  ['file', 'document', 'datei', 'fichier', 'archivo', 'файл', 'ファイル', '文件', '파일'],
  ['directory', 'folder', 'dir', 'ordner', 'dossier', 'carpeta', 'папка', 'フォルダ', 'フォルダー', '文件夹', '폴더'],
  [
    'search',
    'find',
    'look',
    'locate',
    'grep',
    'query',
    'suche',
    'cherche',
    'busca',
    'найди',
    '探し',
    '検索',
    '搜索',
    '查找',
    '찾아',
    '검색',
    'glob',
  ],
  ['write', 'save', 'create', 'make', 'put', 'store', 'schreibe', 'écris', 'escribe', 'запиши', '書い', '写入', '써'],
  ['create', 'new', 'make', 'add', 'remember', 'note'],
  ['delete', 'remove', 'erase', 'forget', 'drop'],
  ['move', 'rename'],
  ['edit', 'change', 'replace', 'modify', 'update'],
  ['sum', 'add', 'plus', 'total', 'addition', 'calculate', '+'],
  ['echo', 'repeat', 'say'],
  ['info', 'information', 'metadata', 'detail', 'property', 'size', 'big', 'large', 'old', 'modify'],
  ['image', 'picture', 'photo', 'logo', 'media'],
  ['tree', 'structure', 'hierarchy', 'recursive'],
  ['allowed', 'access', 'permission', 'permitted'],
  ['env', 'environment', 'variable'],
  ['fetch', 'get', 'download', 'retrieve'],
  ['size', 'sizes', 'big', 'large'],
  ['head', 'first', 'top', 'beginning'],
  ['tail', 'last', 'end'],
  ['operation', 'task', 'job'],
  ['run', 'execute', 'bash', 'shell'],
];

/** Words for a change that nobody may cause by a chance likeness: the message has to name it. */
const CHANGES = new Set(
  (
    'write edit create delete move remove rename update add set put send post drop insert replace trigger run execute ' +
    'bash append prepend overwrite truncate copy duplicate zip unzip compress empty format ' +
    'start stop kill toggle enable disable install deploy publish push merge commit save upload clear reset purge'
  ).split(' '),
);

/** Numbers, and the particles and endings of Japanese. */
const NO_KEYWORD = /^(?:[\p{N}.,]+|\p{Script=Hiragana}{1,2}|ください|です|ます)$/u;

/** Lower-case words without fillers, in a form in which singular, plural and tenses are the same. */
export function keywords(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !FILLERS.has(word) && !NO_KEYWORD.test(word))
    .map(stem);
}

/** Every word in lower case as it stands. `snake_case`, `kebab-case` and `camelCase` fall apart. */
export function wordsOf(text: string): string[] {
  const spaced = text
    .normalize('NFKC')
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/[_\-./]+/g, ' ')
    .toLowerCase();
  return [...segmenter.segment(spaced)].filter((s) => s.isWordLike || s.segment === '+').map((s) => s.segment);
}

/** A light stemmer for English; other languages keep their words. */
export function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  if (/ie[sd]$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (/[^su]s$/.test(word)) return word.slice(0, -1);
  const base = /^(.{3,}?)(?:ing|ed)$/.exec(word)?.[1];
  if (!base || !/[aeiouy]/.test(base)) return word;
  // "running", "stopped"
  if (/([^aeiouls])\1$/.test(base)) return base.slice(0, -1);
  // "writing", "created"
  return /(?:[aeiou][tvzc]|[aeiou]s|[td]l|at)$/.test(base) && !/[aeiou]{2}[tvzcs]$/.test(base) ? `${base}e` : base;
}

const RELATED = new Map<string, Set<string>>();
for (const group of GROUPS) {
  const stems = group.map(stem);
  for (const word of stems) RELATED.set(word, new Set([...(RELATED.get(word) ?? []), ...stems]));
}

/** How near two stems are: 1 for the same, 0.6 for words of one group, 0 otherwise. */
export function likeness(a: string, b: string): number {
  if (a === b) return 1;
  return RELATED.get(a)?.has(b) ? 0.6 : 0;
}

/** Changes something. */
export const isChange = (word: string): boolean => CHANGES.has(word);

/** Says what to do rather than with what. */
export const isAction = (word: string): boolean =>
  isChange(word) || ['read', 'list', 'search', 'echo', 'sum', 'fetch'].some((action) => likeness(word, action) > 0);
