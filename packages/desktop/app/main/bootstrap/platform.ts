import { chmodSync, mkdirSync } from 'node:fs';
import type { Notice } from '@shared/contracts/app.contract.ts';
import { app, net, safeStorage } from 'electron';
import { createFileLogger } from '../platform/logger/file-logger.ts';
import { createRedactor } from '../platform/logger/redactor.ts';
import { appPaths } from '../platform/paths.ts';
import { ProcessManager } from '../platform/process/index.ts';
import { SafeStorageBox, type SafeStorageBoxOptions } from '../platform/secrets/SafeStorageBox.ts';
import { openElectronStore } from '../platform/storage/electron-store.ts';
import { JsonDocument } from '../platform/storage/json-document.ts';
import type { DocumentStore, Fetch, Logger } from '../services/ports/infrastructure.ts';
import { watchfulSecrets } from './watchful-secrets.ts';

export type PostNotice = (kind: Notice['kind'], values?: Record<string, string>) => void;
export type Platform = ReturnType<typeof createPlatform>;

/** What the services stand on: paths, log, documents, processes, network. Electron is ready by now. */
export function createPlatform(post: PostNotice) {
  const paths = appPaths(app.getPath('userData'));
  const redactor = createRedactor();
  const logger = createFileLogger({ folder: paths.logs, redactor, toConsole: !app.isPackaged });
  keepPrivate(paths.data, logger);
  const processes = new ProcessManager({ ledgerFile: paths.processLedger, logger });
  const openDocument = (file: string): DocumentStore =>
    new JsonDocument({
      file,
      openFile: openElectronStore,
      clock: Date,
      logger,
      onSetAside: ({ file, movedTo, recovered }) =>
        post('file-set-aside', {
          file,
          path: movedTo,
          outcome: movedTo === file ? 'stuck' : recovered ? 'recovered' : 'fresh',
        }),
    });

  return { paths, redactor, logger, processes, openDocument, fetch: systemFetch };
}

/** Nobody else on this machine reads chats and logs, whatever the modes of the files are. Windows does that by itself. */
function keepPrivate(folder: string, logger: Logger): void {
  if (process.platform === 'win32') return;
  try {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
  } catch (error) {
    logger.warn('The data folder could not be made private', { folder, error: String(error) });
  }
}

/** Secrets by the system's keyring. Made apart from the rest: what to do with a weak one is a setting. */
export function createSecrets(
  { logger, redactor }: Platform,
  weakChoice: SafeStorageBoxOptions['weakChoice'],
  post: PostNotice,
) {
  const box = new SafeStorageBox({ safeStorage, platform: process.platform, weakChoice, logger });
  return {
    strength: () => box.strength(),
    secrets: watchfulSecrets(box, redactor, () => post('weak-secrets')),
  };
}

/** Chromium's network: the system's proxies and certificates count. No cookies: requests carry what we give them. */
const systemFetch: Fetch = (input, init) =>
  net.fetch(input instanceof URL ? input.href : input, {
    ...init,
    credentials: 'omit',
    bypassCustomProtocolHandlers: true,
  });
