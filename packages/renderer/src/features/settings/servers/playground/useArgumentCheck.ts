import type { ArgumentProblem } from '@shared/contracts/mcp-tools.contract.ts';
import { useEffect, useState } from 'react';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';

/** Pause in typing after which the arguments are checked, in milliseconds. */
const PAUSE_MS = 300;

/** What the tool's schema has against the arguments, checked by main as they are entered. Undefined arguments have no faults. */
export function useArgumentCheck(
  serverId: string,
  toolName: string,
  args: Record<string, unknown> | undefined,
): readonly ArgumentProblem[] {
  const [problems, setProblems] = useState<readonly ArgumentProblem[]>([]);
  const text = args && JSON.stringify(args);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text stands for the arguments
  useEffect(() => {
    if (!args) {
      setProblems([]);
      return;
    }
    let gone = false;
    const timer = setTimeout(() => {
      unwrap(api().mcpTools.check({ serverId, toolName, args })).then(
        (found) => !gone && setProblems(found),
        // A tool that is gone has no schema; its page says that it is.
        () => !gone && setProblems([]),
      );
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [serverId, toolName, text]);

  return problems;
}
