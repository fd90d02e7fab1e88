import path from 'node:path';
import { AppError } from '../../../../ports/errors.ts';
import { isInside, type ResolvedPath, type Workspace } from '../workspace.ts';
import { judgePath, type Surroundings, type Use } from './path-rules.ts';
import { quote, spell } from './path-spelling.ts';
import { isHarmlessDevice } from './system-paths.ts';
import { ALLOWED, deny, type Verdict, worst } from './verdict.ts';

/**
 * Judges paths as they are on the disk now. A path is followed both as a name (`a/..` is nothing) and as the system follows it
 * (`a/..` is the folder above the one that the link `a` leads to), since tools differ; the stricter verdict counts.
 */
export class PathGuard {
  readonly #workspace: Workspace;
  readonly #surroundings: Surroundings;

  constructor(workspace: Workspace, surroundings: Surroundings) {
    this.#workspace = workspace;
    this.#surroundings = surroundings;
  }

  /** @param from the absolute folder that a relative path starts at; default: the workspace */
  async check(given: string, use: Use, from: string = this.#workspace.root): Promise<Verdict> {
    const { platform } = this.#surroundings;
    if (platform !== 'win32' && isHarmlessDevice(given)) return ALLOWED;
    if (platform !== 'win32' && /^[a-z]:[\\/]/i.test(given)) {
      return deny('invalid-path', `${quote(given)} is not a path of this system.`);
    }
    const spelled = spell(given, this.#surroundings);
    if (!Array.isArray(spelled)) return spelled;
    return worst(await Promise.all(spelled.map((spelling) => this.#judge(spelling, use, from))));
  }

  async #judge(spelling: string, use: Use, from: string): Promise<Verdict> {
    try {
      const ways = [await this.#workspace.resolve(spelling, from)];
      if (/(^|[/\\])\.\.([/\\]|$)/.test(spelling)) ways.push(await this.#followed(spelling, from));
      const verdicts = ways.map(({ named, real, inside }) => {
        const byReal = judgePath(real, inside, use, this.#surroundings);
        const byName = judgePath(named, inside, use, this.#surroundings);
        // Where both say the same, the reason of the real one is closer to the point.
        return byReal.decision === byName.decision ? byReal : worst([byReal, byName]);
      });
      return this.#viaLink(worst(verdicts), ways[0]);
    } catch (error) {
      if (error instanceof AppError) return deny('invalid-path', `${quote(spelling)}: ${error.message}`);
      throw error;
    }
  }

  /** As the system follows it: what a link leads to is known before `..` is taken. */
  async #followed(spelling: string, from: string): Promise<ResolvedPath> {
    const root = path.parse(spelling).root;
    let at = root === '' ? from : root;
    for (const name of spelling.slice(root.length).split(path.sep)) {
      at = name === '..' ? path.dirname((await this.#workspace.resolve(at)).real) : path.join(at, name);
    }
    return this.#workspace.resolve(at);
  }

  /** Tells apart what is named outside the workspace and what a link in it leads to. */
  #viaLink(verdict: Verdict, way: ResolvedPath | undefined): Verdict {
    if (verdict.deniedBy !== 'outside-workspace' || way === undefined || way.inside) return verdict;
    if (!isInside(this.#workspace.root, way.named)) return verdict;
    return deny('link', `changing ${way.named}: a link leads out of the workspace, to ${way.real}.`);
  }
}
