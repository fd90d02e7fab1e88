import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../../../../ports/errors.ts';
import { mostSimilar } from '../../../../../ports/similarity.ts';
import { isInside, type Workspace } from '../../workspace.ts';
import { showName } from './presentation.ts';

/** The error for a path at which there is nothing. In the workspace it names what is there and called much the same. */
export async function missingFile(workspace: Workspace, real: string): Promise<AppError> {
  const show = (absolute: string) => showName(workspace.show(absolute));
  const message = `There is no ${show(real)}.`;
  let folder = path.dirname(real);
  let name = path.basename(real);
  while (isInside(workspace.root, folder)) {
    const names = await readdir(folder).catch(() => undefined);
    if (names) {
      const close = mostSimilar(name, names, 3).map((other) => show(path.join(folder, other)));
      if (close.length > 0) return new AppError('file-missing', message, { hint: `There is ${close.join(', ')}.` });
      const isParent = folder === path.dirname(real);
      const hint = isParent
        ? 'Use ListDir or Glob to find it.'
        : `There is no folder ${show(path.join(folder, name))}.`;
      return new AppError('file-missing', message, { hint });
    }
    name = path.basename(folder);
    folder = path.dirname(folder);
  }
  return new AppError('file-missing', message);
}
