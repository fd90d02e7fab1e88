import type { ApiFormat } from '@shared/contracts/providers.contract.ts';
import { useMemo } from 'react';
import { markedModelName, useProviders } from '../../../../stores/providers.ts';
import { useActiveModel } from '../../../chat/model.ts';

export type ToolFormat = 'openai' | 'anthropic' | 'google';

/** The demo model takes tools as OpenAI does. */
const FORMATS: Record<ApiFormat, ToolFormat> = {
  openai: 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  google: 'google',
  demo: 'openai',
};

export interface FormatOfModel {
  /** Undefined while the providers are not known. */
  format?: ToolFormat;
  /** The chosen model; undefined where there is none. */
  model?: string;
}

/** The form of tool definitions that the chosen model gets. */
export function useToolFormat(): FormatOfModel {
  const { state } = useActiveModel();
  const known = useProviders(({ providers }) => providers !== null);
  return useMemo(() => {
    if (!known) return {};
    if (state.kind === 'none' || state.kind === 'gone') return { format: 'openai' };
    return { format: FORMATS[state.provider.format], model: markedModelName(state.provider, state.model) };
  }, [known, state]);
}
