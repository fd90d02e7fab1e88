/** Files and folders below a home folder that hold secrets. What lies below a folder is meant as well. Lower case. */
const IN_HOME: readonly string[] = [
  // Keys
  '.ssh',
  '.gnupg',
  '.pki',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.password-store',
  '.local/share/gopass',
  '.config/keepassxc',
  '.config/bitwarden',
  '.config/bitwarden cli',
  '.config/1password',
  '.config/op',
  '.1password',
  '.config/sops',
  '.config/age',
  'library/keychains',
  'appdata/roaming/microsoft/credentials',
  'appdata/local/microsoft/credentials',
  'appdata/roaming/microsoft/protect',
  'appdata/local/microsoft/vault',
  // Clouds and package registries
  '.aws',
  '.azure',
  '.config/gcloud',
  '.boto',
  '.s3cfg',
  '.config/rclone',
  '.config/doctl',
  '.kube',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.terraform.d',
  '.terraformrc',
  '.npmrc',
  '.yarnrc.yml',
  '.bunfig.toml',
  '.gem/credentials',
  '.bundle/config',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.composer/auth.json',
  '.config/composer/auth.json',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.nuget/nuget.config',
  '.config/pip',
  '.pip',
  '.my.cnf',
  '.config/gh',
  '.config/glab-cli',
  '.config/hub',
  '.config/git/credentials',
  // Other programs that work with models
  '.claude.json',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.gemini/oauth_creds.json',
  // Browsers and mail
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome',
  '.config/google-chrome-beta',
  '.config/chromium',
  '.config/bravesoftware',
  '.config/microsoft-edge',
  '.config/opera',
  '.config/vivaldi',
  'snap/firefox',
  'snap/chromium',
  '.var/app',
  'library/application support/google/chrome',
  'library/application support/chromium',
  'library/application support/bravesoftware',
  'library/application support/microsoft edge',
  'library/application support/firefox',
  'library/application support/vivaldi',
  'library/safari',
  'library/cookies',
  'library/mail',
  'library/messages',
  'appdata/local/google/chrome',
  'appdata/local/chromium',
  'appdata/local/bravesoftware',
  'appdata/local/microsoft/edge',
  'appdata/local/vivaldi',
  'appdata/roaming/opera software',
  'appdata/roaming/mozilla',
  'appdata/roaming/thunderbird',
  // Histories that aren't named `…_history`
  '.histfile',
  '.lesshst',
  '.viminfo',
  '.local/share/fish/fish_history',
  'appdata/roaming/microsoft/windows/powershell/psreadline',
];

/** Names that mean a secret wherever they are. */
const ANYWHERE: readonly RegExp[] = [
  /^\.(ssh|gnupg|password-store)$/,
  /^\.(netrc|pypirc|git-credentials|pgpass|vault-token)$/,
  /^_netrc$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?([.~-](?!pub$).*)?$/,
  /^\.[a-z0-9_]+_history$/,
  /\.kdbx?$/,
];

/** Names that mean a secret, unless a project keeps them for its tests: there, the person is asked. */
const OUTSIDE: readonly RegExp[] = [
  /^\.env(?!\.(example|sample|template|dist|defaults)$)(rc|[._-].*)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|ppk)$/,
  /^\.npmrc$/,
  /^\.(aws|kube|azure)$/,
  /^service[-_]?account.*\.json$/,
];

/**
 * Whether a path holds secrets: `always`, or `unless-inside` a workspace.
 *
 * @param names the names along the path, in lower case and NFC
 * @param belowHome those below a home folder, when it lies in one
 */
export function secrecyOf(
  names: readonly string[],
  belowHome: readonly string[] | undefined,
): 'always' | 'unless-inside' | undefined {
  if (names.some((name) => ANYWHERE.some((pattern) => pattern.test(name)))) return 'always';
  const relative = belowHome?.join('/');
  if (relative && IN_HOME.some((place) => relative === place || relative.startsWith(`${place}/`))) return 'always';
  return names.some((name) => OUTSIDE.some((pattern) => pattern.test(name))) ? 'unless-inside' : undefined;
}

/** Whether a string by itself, without any folder, names something secret. */
export const isSecretName = (name: string): boolean =>
  secrecyOf([name.normalize('NFC').toLowerCase()], undefined) !== undefined;
