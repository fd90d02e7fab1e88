import type { PermissionMode } from '@shared/contracts/agent-types.ts';
import type { ToolDecision } from '@shared/contracts/message-types.ts';
import type { Refusal } from '../../../../ports/tools.ts';
import type { Approvals, PendingApproval } from '../../../../turn/approval.ts';
import type { ITool } from '../tools/ITool.ts';

export type Decision = Awaited<ReturnType<Approvals['decide']>>;

export interface PermissionOptions {
  approvals: Pick<Approvals, 'decide' | 'answer' | 'policyOf'>;
  /** Read whenever a call is decided. */
  mode: () => PermissionMode;
}

/** What an earlier layer and the tool say of a call. */
export interface PermissionRequest extends Omit<PendingApproval, 'thisCallOnly'> {
  risk: NonNullable<ITool['risk']>;
  /** An earlier layer wants the person to look at this call. */
  wanted: boolean;
}

interface Waiting {
  request: PermissionRequest;
  again: AbortController;
}

/** As long as a call waits for the person. */
const ANSWER_MS = 5 * 60_000;

const PLAN_MESSAGE =
  '[permission] Blocked: this run only makes a plan, so nothing may be changed and no program may run. Go on with what reads, and describe in your plan what this call would do.';

/** The mode of the run, what the person said before, and the person, in this order. */
export class Permission {
  readonly #approvals: PermissionOptions['approvals'];
  readonly #mode: PermissionOptions['mode'];
  readonly #waiting = new Set<Waiting>();

  constructor({ approvals, mode }: PermissionOptions) {
    this.#approvals = approvals;
    this.#mode = mode;
  }

  /** Rejects with the signal's reason when it aborts. A call that nobody answers within 5 minutes is denied. */
  async decide(
    request: PermissionRequest,
    signal: AbortSignal,
    onAsk: () => void,
    onDecision: (decision: ToolDecision) => void,
  ): Promise<Decision> {
    const deadline = Date.now() + ANSWER_MS;
    while (true) {
      signal.throwIfAborted();
      const { outcome, reason } = this.#judge(request);
      if (outcome !== 'deny' && this.#approvals.policyOf(request.tool).policy === 'deny') {
        onDecision({ layer: 'permission', outcome: 'deny', reason: 'You denied this tool for good.' });
        return 'deny-always';
      }
      if (outcome !== 'ask') {
        onDecision({ layer: 'permission', outcome, reason });
        return outcome === 'allow' ? 'allow-once' : refusal('plan-mode', PLAN_MESSAGE);
      }
      const answer = await this.#ask(request, reason, deadline - Date.now(), signal, onAsk, onDecision);
      if (answer) return answer;
    }
  }

  /** To be called when the mode is another one: calls that wait and needn't any more, or may not, are decided again. */
  modeChanged(): void {
    for (const { request, again } of this.#waiting) if (this.#judge(request).outcome !== 'ask') again.abort();
  }

  #judge({ risk, wanted }: PermissionRequest): Pick<ToolDecision, 'outcome' | 'reason'> {
    const mode = this.#mode();
    if (mode === 'bypass') return { outcome: 'allow', reason: 'Nothing asks in this mode.' };
    if (mode === 'plan' && risk !== 'safe') return { outcome: 'deny', reason: PLAN_MESSAGE };
    if (wanted) return { outcome: 'ask', reason: 'An earlier check wants you to look at this call.' };
    if (risk === 'safe') return { outcome: 'allow', reason: 'This tool is safe.' };
    if (risk === 'edit' && mode === 'accept-edits')
      return { outcome: 'allow', reason: 'Edits of the workspace are accepted.' };
    return { outcome: 'ask', reason: 'This tool asks before it runs.' };
  }

  /** undefined when the mode has changed meanwhile so that nobody need be asked. */
  async #ask(
    request: PermissionRequest,
    reason: string,
    limitMs: number,
    signal: AbortSignal,
    onAsk: () => void,
    onDecision: (decision: ToolDecision) => void,
  ): Promise<Decision | undefined> {
    const { conversationId, callId, tool, args, wanted } = request;
    const waiting: Waiting = { request, again: new AbortController() };
    let asked = false;
    let late = false;
    const timer = setTimeout(() => {
      late = this.#approvals.answer(conversationId, callId, 'deny');
    }, limitMs);
    this.#waiting.add(waiting);
    try {
      const answer = await this.#approvals.decide(
        { conversationId, callId, tool, args, thisCallOnly: wanted },
        AbortSignal.any([signal, waiting.again.signal]),
        () => {
          asked = true;
          onDecision({ layer: 'permission', outcome: 'ask', reason });
          onAsk();
        },
      );
      onDecision({ layer: asked ? 'person' : 'permission', ...said(answer, late) });
      return answer;
    } catch (error) {
      if (signal.aborted || !waiting.again.signal.aborted) throw error;
      return undefined;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    }
  }
}

const refusal = (code: string, message: string): Refusal => ({ refused: { code, message } });

/** An answer for the log, which says who gave it and what it was: here is only what that leaves open. */
function said(answer: Decision, late: boolean): Pick<ToolDecision, 'outcome' | 'reason'> {
  if (late) return { outcome: 'deny', reason: 'No answer within 5 minutes.' };
  if (answer === 'allow-once') return { outcome: 'allow', reason: '' };
  if (answer === 'allow-for-chat') return { outcome: 'allow', reason: 'For this run.' };
  if (answer === 'allow-always') return { outcome: 'allow', reason: 'From now on.' };
  return { outcome: 'deny', reason: answer === 'deny-always' ? 'This tool is denied for good.' : '' };
}
