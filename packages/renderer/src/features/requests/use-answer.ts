import type { RequestAnswer, ServerRequest } from '@shared/contracts/mcp-requests.contract.ts';
import { useState } from 'react';
import type { ApiError } from '../../bridge/errors.ts';
import { useServerRequests } from '../../stores/server-requests.ts';
import { useAction } from '../../ui/useAction.ts';

export interface Answering {
  answer: (answer: RequestAnswer) => void;
  /** The answer that is on its way. */
  sending: RequestAnswer['action'] | null;
  error: ApiError | null;
}

/** Answers a request, once at a time. */
export function useAnswer({ id }: ServerRequest): Answering {
  const send = useServerRequests((state) => state.answer);
  const [action, setAction] = useState<RequestAnswer['action'] | null>(null);
  const { run, busy, error } = useAction((answer: RequestAnswer) => {
    setAction(answer.action);
    return send(id, answer);
  });
  return { answer: (answer) => void run(answer), sending: busy ? action : null, error };
}
