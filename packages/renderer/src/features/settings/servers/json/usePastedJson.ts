import type { CallOutput } from '@shared/contracts/contract.ts';
import type { McpContract, McpServerDraft, McpServerInput } from '@shared/contracts/mcp.contract.ts';
import { useEffect, useState } from 'react';
import { api } from '../../../../bridge/api.ts';
import { type ApiError, toApiError, unwrap } from '../../../../bridge/errors.ts';
import { useAction } from '../../../../ui/useAction.ts';
import { withSecretChoice } from '../../shared/secret-choice.ts';
import { entered, inputsFor, isMissing } from '../import/input-values.ts';

export interface Pasted {
  /** The text that this was read from. */
  text: string;
  servers: McpServerDraft[];
  problems: CallOutput<McpContract, 'parseJson'>['problems'];
  inputs?: McpServerInput[];
}

const READ_DELAY_MS = 150;

/** Pasted text, the servers in it, which of them are ticked, and adding those: switched off, and nothing starts. */
export function usePastedJson(onAdded: (count: number) => void) {
  const [text, setText] = useState('');
  const [pasted, setPasted] = useState<Pasted | null>(null);
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const [readError, setReadError] = useState<ApiError | null>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, ApiError>>>({});
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [showMissing, setShowMissing] = useState(false);

  useEffect(() => {
    if (text.trim() === '') {
      setPasted(null);
      setReadError(null);
      return;
    }
    let gone = false;
    const timer = setTimeout(() => {
      unwrap(api().mcp.parseJson({ text })).then(
        (read) => {
          if (gone) return;
          setPasted({ text, ...read });
          setReadError(null);
          setErrors({});
        },
        (thrown) => {
          if (gone) return;
          setPasted(null);
          setReadError(toApiError(thrown));
        },
      );
    }, READ_DELAY_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [text]);

  // What stands in the field now, and not what was read from an earlier text, is what may be added.
  const current = pasted?.text === text ? pasted : null;
  const ticked = current?.servers.filter(({ name }) => !unticked.has(name)) ?? [];
  const needed = inputsFor(ticked, current?.inputs ?? []);

  const add = useAction(async () => {
    if (needed.some((input) => isMissing(input, values))) return setShowMissing(true);
    const filled = Object.fromEntries(needed.map((input) => [input.id, entered(input, values)]));
    const inputs = needed.length > 0 ? filled : undefined;
    // One by one: where one can't be added the others are, and none twice.
    const failed: Record<string, ApiError> = {};
    const added = new Set<string>();
    for (const server of ticked) {
      try {
        await withSecretChoice(() => unwrap(api().mcp.import({ servers: [server], inputs })));
        added.add(server.name);
      } catch (thrown) {
        const error = toApiError(thrown);
        failed[server.name] = error;
        // No answer to the question about secrets: it would only be asked again.
        if (error.code === 'weak-secrets') break;
      }
    }
    if (Object.keys(failed).length === 0) return onAdded(added.size);
    setErrors(failed);
    setPasted((old) => old && { ...old, servers: old.servers.filter(({ name }) => !added.has(name)) });
  });

  return {
    text,
    setText,
    pasted: current,
    readError,
    errors,
    ticked,
    tick: (name: string, on: boolean) => {
      const next = new Set(unticked);
      if (on) next.delete(name);
      else next.add(name);
      setUnticked(next);
    },
    inputs: { needed, values, showMissing },
    setInput: (id: string, value: string) => setValues({ ...values, [id]: value }),
    add,
  };
}
