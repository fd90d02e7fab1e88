import { type AppContract, appContract } from '@shared/contracts/app.contract.ts';
import type { CallOutput, ParsedInput } from '@shared/contracts/contract.ts';
import type { NoticeBoard } from '../notices/NoticeBoard.ts';
import { AppError } from '../ports/errors.ts';
import { defineRouter } from './router.ts';

type Info = CallOutput<AppContract, 'info'>;

/** What the desktop can do for the renderer. */
export interface Desktop {
  info(): Omit<Info, 'secretStorage'>;
  secretStrength(): Promise<Info['secretStorage']>;
  openFolder(folder: ParsedInput<AppContract, 'openFolder'>['folder']): Promise<void>;
  /** False where the link is of a kind that is never opened. */
  openExternal(url: string): Promise<boolean>;
  copyText(text: string): Promise<void>;
  chooseWeakSecrets(choice: ParsedInput<AppContract, 'chooseWeakSecrets'>['choice']): void;
}

export const createAppRouter = (desktop: Desktop, notices: NoticeBoard) =>
  defineRouter(appContract, {
    info: async () => ({ ...desktop.info(), secretStorage: await desktop.secretStrength() }),
    notices: () => notices.list(),
    dismissNotice: ({ id }) => notices.dismiss(id),
    openFolder: ({ folder }) => desktop.openFolder(folder),
    openExternal: async ({ url }) => {
      if (await desktop.openExternal(url)) return;
      throw new AppError('refused', 'This kind of link is not opened.', {
        hint: 'Only links that start with http, https or mailto are.',
      });
    },
    copyText: ({ text }) => desktop.copyText(text),
    chooseWeakSecrets: ({ choice }) => desktop.chooseWeakSecrets(choice),
  });
