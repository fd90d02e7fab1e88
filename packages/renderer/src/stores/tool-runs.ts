import type { ToolRun } from '@shared/contracts/mcp-tools.contract.ts';
import type { CallProgress } from '@shared/contracts/mcp-types.ts';
import { create } from 'zustand';
import { api } from '../bridge/api.ts';
import { type ApiError, toApiError, unwrap } from '../bridge/errors.ts';

/** The last run of one tool in the playground. */
export interface PlaygroundRun {
  runId: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  endedAt?: number;
  progress?: CallProgress;
  outcome?: ToolRun;
  error?: ApiError;
}

interface ToolRunsState {
  /** By {@link toolKey}. */
  runs: Readonly<Record<string, PlaygroundRun>>;
  /** Runs a tool, in place of its last run. Resolves when it is over; what went wrong is in the run. */
  start(serverId: string, toolName: string, args: Record<string, unknown>): Promise<void>;
  setProgress(runId: string, progress: CallProgress): void;
}

export const toolKey = (serverId: string, toolName: string): string => JSON.stringify([serverId, toolName]);

/** Runs live as long as the window, so that one can look elsewhere while a tool works. */
export const useToolRuns = create<ToolRunsState>()((set) => {
  /** Changes a run unless another has taken its place. */
  const change = (key: string, runId: string, values: Partial<PlaygroundRun>) =>
    set(({ runs }) => {
      const run = runs[key];
      return run?.runId === runId ? { runs: { ...runs, [key]: { ...run, ...values } } } : {};
    });

  return {
    runs: {},
    async start(serverId, toolName, args) {
      const key = toolKey(serverId, toolName);
      const runId = crypto.randomUUID();
      set(({ runs }) => ({ runs: { ...runs, [key]: { runId, startedAt: Date.now() } } }));
      try {
        const outcome = await unwrap(api().mcpTools.run({ runId, serverId, toolName, args }));
        change(key, runId, { outcome, endedAt: Date.now() });
      } catch (thrown) {
        change(key, runId, { error: toApiError(thrown), endedAt: Date.now() });
      }
    },
    setProgress(runId, progress) {
      set(({ runs }) => {
        const found = Object.entries(runs).find(([, run]) => run.runId === runId);
        if (!found || found[1].endedAt !== undefined) return {};
        return { runs: { ...runs, [found[0]]: { ...found[1], progress } } };
      });
    },
  };
});
