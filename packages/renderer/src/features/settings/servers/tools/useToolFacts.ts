import type { ToolCosts, ToolSetting } from '@shared/contracts/mcp-tools.contract.ts';
import { useEffect, useState } from 'react';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { useToolChanges } from '../../../../stores/tool-changes.ts';
import type { ToolFormat } from './useToolFormat.ts';

/** Servers that start together change a lot in a moment, in milliseconds. */
const SETTLE_MS = 120;

/** What the tools cost that models are offered; null until it is known, and when it can't be found out. */
export const useToolCosts = (format: ToolFormat | undefined): ToolCosts | null =>
  useToolFacts(format && ((known) => unwrap(api().mcpTools.costs({ format: known }))), format);

/** What was decided about each tool of a server, by the tool's name; null until it is known. */
export function useToolSettings(
  serverId: string,
  format: ToolFormat | undefined,
): ReadonlyMap<string, ToolSetting> | null {
  return useToolFacts(
    format &&
      (async (known) => {
        const settings = await unwrap(api().mcpTools.overview({ serverId, format: known }));
        return new Map(settings.map((setting) => [setting.name, setting]));
      }),
    format,
  );
}

/** Loads at once, and again after each change; what was there stays until then. */
function useToolFacts<Facts>(
  load: ((format: ToolFormat) => Promise<Facts>) | undefined,
  format: ToolFormat | undefined,
): Facts | null {
  const version = useToolChanges((state) => state.version);
  const [facts, setFacts] = useState<Facts | null>(null);
  const isFirst = facts === null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is a new function each time, and does the same
  useEffect(() => {
    if (!load || !format) return;
    let gone = false;
    const timer = setTimeout(
      () => {
        load(format).then(
          (found) => !gone && setFacts(found),
          // Figures beside a list: where the server is gone, its page says so.
          () => {},
        );
      },
      isFirst ? 0 : SETTLE_MS,
    );
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [version, format]);

  return facts;
}
