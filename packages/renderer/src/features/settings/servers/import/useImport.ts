import type { CallOutput } from '@shared/contracts/contract.ts';
import type { McpServerInput } from '@shared/contracts/mcp.contract.ts';
import type { FoundMcpServer, McpImportContract, McpImportSource } from '@shared/contracts/mcp-import.contract.ts';
import { useEffect, useState } from 'react';
import { api } from '../../../../bridge/api.ts';
import { unwrap } from '../../../../bridge/errors.ts';
import { useAction } from '../../../../ui/useAction.ts';
import { withSecretChoice } from '../../shared/secret-choice.ts';
import { entered, isMissing } from './input-values.ts';

export type Scan = CallOutput<McpImportContract, 'scan'>;
export type Applied = CallOutput<McpImportContract, 'apply'>;

/** How a server that differs from the one here is taken over. */
export type Way = 'replace' | 'beside';

/** Main takes no more at once. */
export const MAX_TICKS = 200;

/** The servers of other programs, which of them are ticked, what they leave open, and taking them over. */
export function useImport(onDone: (applied: Applied) => void) {
  const [scan, setScan] = useState<Scan | null>(null);
  const [ticks, setTicks] = useState<ReadonlySet<string>>(new Set());
  const [ways, setWays] = useState<Readonly<Record<string, Way>>>({});
  /** By source: the inputs of a file are defined for all of its servers. */
  const [values, setValues] = useState<Readonly<Record<string, Readonly<Record<string, string>>>>>({});
  const [showMissing, setShowMissing] = useState(false);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Applied['outcomes'][number]>>(new Map());

  const look = useAction(async () => {
    const found = await unwrap(api().mcpImport.scan());
    setScan(found);
    setTicks(new Set());
    setOutcomes(new Map());
  });
  // Files are read when the person opens this page, and at no other time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    void look.run();
  }, []);

  const canTick = ({ key, status }: FoundMcpServer) =>
    status !== 'same' && (outcomes.get(key)?.outcome ?? 'failed') === 'failed';
  const tickedOf = ({ servers }: McpImportSource) =>
    servers.filter((server) => ticks.has(server.key) && canTick(server));
  const wayOf = ({ key }: FoundMcpServer): Way => ways[key] ?? 'replace';
  const sources = scan?.sources ?? [];
  const ticked = sources.flatMap(tickedOf);

  const apply = useAction(async () => {
    if (!scan) return;
    const missing = sources.some((source) =>
      neededIn(tickedOf(source)).some((input) => isMissing(input, values[source.id] ?? {})),
    );
    setShowMissing(missing);
    if (missing) return;
    const picks = sources.flatMap((source) =>
      tickedOf(source).map((server) => ({
        key: server.key,
        replace: server.status === 'changed' && wayOf(server) === 'replace',
        inputs: Object.fromEntries(server.inputs.map((input) => [input.id, entered(input, values[source.id] ?? {})])),
      })),
    );
    const applied = await withSecretChoice(() => unwrap(api().mcpImport.apply({ scanId: scan.scanId, picks })));
    setOutcomes((old) => new Map([...old, ...applied.outcomes.map((outcome) => [outcome.key, outcome] as const)]));
    onDone(applied);
  });

  return {
    scan,
    look,
    apply,
    ticked,
    replaced: ticked.filter((server) => server.status === 'changed' && wayOf(server) === 'replace'),
    outcomes,
    showMissing,
    isTicked: ({ key }: FoundMcpServer) => ticks.has(key),
    canTick,
    tick: (servers: readonly FoundMcpServer[], on: boolean) => {
      const next = new Set(ticks);
      for (const { key } of servers) {
        if (on) next.add(key);
        else next.delete(key);
      }
      setTicks(next);
    },
    wayOf,
    setWay: ({ key }: FoundMcpServer, way: Way) => setWays({ ...ways, [key]: way }),
    neededOf: (source: McpImportSource) => neededIn(tickedOf(source)),
    valuesOf: ({ id }: McpImportSource) => values[id] ?? {},
    setValue: ({ id }: McpImportSource, input: string, value: string) =>
      setValues({ ...values, [id]: { ...values[id], [input]: value } }),
  };
}
export type Import = ReturnType<typeof useImport>;

const neededIn = (servers: readonly FoundMcpServer[]): McpServerInput[] => [
  ...new Map(servers.flatMap(({ inputs }) => inputs.map((input) => [input.id, input] as const))).values(),
];
