import type { McpServerView } from '@shared/contracts/mcp-types.ts';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../../bridge/api.ts';
import { ApiError, toApiError, unwrap } from '../../../../bridge/errors.ts';
import { useServers } from '../../../../stores/servers.ts';
import { toastError } from '../../../../stores/toasts.ts';
import { useAction } from '../../../../ui/useAction.ts';
import { focusFirstInvalid } from '../../shared/focus-invalid.ts';
import { forgetKept, useKeptState } from '../../shared/kept-state.ts';
import { withSecretChoice } from '../../shared/secret-choice.ts';
import { draftOf, emptyDraft, LIMITS, type ServerDraft, toAddInput, toInput, unitOf } from '../logic/server-draft.ts';
import { LIMIT_RANGES, type Problems, validateDraft } from '../logic/validate-draft.ts';
import type { TestAnswer } from './TestResult.tsx';

/**
 * The state of the form for a new server, or for `server`: what was typed (kept when one looks elsewhere), what is wrong with
 * it, and saving and testing it. Nothing that goes wrong loses what was typed.
 */
export function useServerForm(server: McpServerView | undefined, onSaved: (serverId: string) => void) {
  const { t } = useTranslation('servers');
  const key = `servers.draft.${server?.id ?? 'new'}`;
  const [initial] = useState(() => (server ? draftOf(server) : emptyDraft()));
  const [draft, setDraft] = useKeptState<ServerDraft>(key, () => initial);
  /** Problems with what someone wanted to do are shown; from then on they follow what is typed. */
  const [checked, setChecked] = useState<'save' | 'test' | null>(null);
  const [testedAt, setTestedAt] = useState<number | null>(null);
  const [answer, setAnswer] = useState<TestAnswer | null>(null);
  /** A folder that main didn't find. */
  const [goneFolder, setGoneFolder] = useState<string | null>(null);
  const testId = useRef<string>(undefined);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (goneFolder !== null) form.current?.querySelector<HTMLElement>('[name="cwd"]')?.focus();
  }, [goneFolder]);

  // Nobody would see what came of it.
  useEffect(() => () => void stopTest(testId.current).catch((thrown) => toastError(toApiError(thrown))), []);

  const otherNames = useServers((state) => state.servers)
    ?.map((status) => status.server)
    .filter(({ id }) => id !== server?.id)
    .map(({ name }) => name);
  const all = validateDraft(draft, server, otherNames ?? []);
  const { name: _notForTest, ...forTest } = all;
  const problems: Problems = checked === 'save' ? all : checked === 'test' ? forTest : onlyMoved(all);

  const set = (values: Partial<ServerDraft>) => {
    setAnswer(null);
    setDraft({ ...draft, ...values });
  };
  const isValid = (found: Problems, wanted: 'save' | 'test'): boolean => {
    // A test takes no mark away.
    setChecked(wanted === 'save' ? wanted : (checked ?? wanted));
    if (Object.keys(found).length === 0) return true;
    focusFirstInvalid(form.current);
    return false;
  };

  const save = useAction(async () => {
    const saved = await withSecretChoice(() =>
      unwrap(server ? api().mcp.update({ serverId: server.id, ...toInput(draft) }) : api().mcp.add(toAddInput(draft))),
    );
    forgetKept(key);
    onSaved(saved.id);
  });
  const test = useAction(async () => {
    setAnswer(null);
    setGoneFolder(null);
    setTestedAt(Date.now());
    const id = crypto.randomUUID();
    testId.current = id;
    // A name is not needed for a test, and main wants one.
    const input = { ...toInput(draft), name: draft.name.trim().slice(0, 128) || t('form.unnamed') };
    try {
      setAnswer(await withSecretChoice(() => unwrap(api().mcp.test({ ...input, serverId: server?.id, testId: id }))));
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'folder-missing') throw thrown;
      setGoneFolder(draft.cwd);
    } finally {
      testId.current = undefined;
      setTestedAt(null);
    }
  });

  const textOf = (field: string): string | undefined => {
    if (field === 'cwd' && goneFolder !== null && goneFolder === draft.cwd) return t('problem.folderMissing');
    const problem = problems[field];
    if (!problem) return undefined;
    const name = LIMITS.find((limit) => field === `limits.${limit}`);
    if (!name) return t(`problem.${problem}`);
    const { min, max } = LIMIT_RANGES[name];
    const { size } = unitOf(name);
    return t(`problem.${problem}`, { min: min / size, max: max / size });
  };

  return {
    form,
    draft,
    set,
    problems,
    textOf,
    // The type of a new server alone is nothing to lose.
    dirty: JSON.stringify(server ? draft : { ...draft, type: initial.type }) !== JSON.stringify(initial),
    save,
    submit: () => isValid(all, 'save') && save.run(),
    test,
    testedAt,
    answer,
    runTest: () => isValid(forTest, 'test') && test.run(),
    stopTest: () => stopTest(testId.current),
    /** Leaves without saving. */
    forget: () => forgetKept(key),
  };
}

async function stopTest(testId: string | undefined): Promise<void> {
  if (testId !== undefined) await unwrap(api().mcp.stopTest({ testId }));
}

/** That a stored value has to be entered again is said at once: it follows from something else that was changed. */
const onlyMoved = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem === 'enterAgain'));
