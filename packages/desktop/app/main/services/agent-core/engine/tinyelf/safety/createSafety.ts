import { homedir } from 'node:os';
import type { MCPTool } from '@shared/contracts/mcp-types.ts';
import type { ToolDecision } from '@shared/contracts/message-types.ts';
import type { ApprovalPort } from '../../../../ports/tools.ts';
import { abortable } from '../../../../turn/abortable.ts';
import type { ITool, ToolAccess } from '../tools/ITool.ts';
import { localHostOf, type ResolveHost } from '../tools/web/guarded-connections.ts';
import type { Workspace } from '../workspace.ts';
import { ExecutionFirewall } from './ExecutionFirewall.ts';
import { Guardian, type GuardianOptions } from './Guardian.ts';
import { Permission, type PermissionOptions } from './Permission.ts';

export interface SafetyOptions extends PermissionOptions {
  workspace: Workspace;
  /** Absolute folders that hold the app's own data. */
  appFolders: readonly string[];
  guardian: GuardianOptions;
  /** The engine's tool behind one that the model was offered. A tool that isn't found is treated as one of a stranger. */
  toolOf: (tool: MCPTool) => ITool | undefined;
  /** Hosts of URLs that this run may open although they aren't on the public internet. Those that the person allows are added. */
  allowedHosts: Set<string>;
  /** Looks names of hosts up. Default: the system's. */
  resolve?: ResolveHost;
  /** Default: the person's. */
  home?: string;
  /** Default: this machine's. */
  platform?: NodeJS.Platform;
}

export interface Safety extends ApprovalPort {
  /** To be called when the mode of the run is another one: calls that wait are decided again. */
  modeChanged(): void;
}

/**
 * The three layers in their order: rules about what may be touched, a model's opinion, and the person's permission. The first
 * refusal ends it, and each that was asked is reported before it counts.
 */
export function createSafety(options: SafetyOptions): Safety {
  const {
    workspace,
    appFolders,
    toolOf,
    allowedHosts,
    resolve,
    home = homedir(),
    platform = process.platform,
  } = options;
  const firewall = new ExecutionFirewall({ workspace, appFolders, home, platform });
  const guardian = new Guardian(options.guardian);
  const permission = new Permission(options);

  return {
    modeChanged: () => permission.modeChanged(),
    async decide(request, signal, onAsk, onDecision = () => {}) {
      const tool = toolOf(request.tool);
      const access = accessOf(tool, request.args);
      const report = (layer: ToolDecision['layer'], outcome: ToolDecision['outcome'], reason: string) => {
        onDecision({ layer, outcome, reason });
        return outcome;
      };
      const refuse = (code: string, message: string) => ({ refused: { code, message } });

      const { decision, reason = 'Nothing that is off limits.' } = await firewall.check(access);
      signal.throwIfAborted();
      if (report('firewall', decision, reason) === 'deny') return refuse('firewall', reason);
      let wanted = decision === 'ask';

      const risk = tool?.risk ?? 'asks';
      // What only reads in the workspace needs no opinion; what leaves the machine or the workspace does.
      if (guardian.mode !== 'off' && (risk !== 'safe' || wanted || access.url !== undefined)) {
        const { name, description = '' } = request.tool;
        const call = { tool: tool?.name ?? name, description, args: request.args, workspace: workspace.root };
        const rated = await guardian.rate(call, signal);
        if (report('guardian', rated.outcome, rated.reason) === 'deny') return refuse('guardian', rated.reason);
        wanted ||= rated.outcome === 'ask';
      }
      // After all that can refuse it by itself: looking a name up tells it to others.
      const isDenied = options.approvals.policyOf(request.tool).policy === 'deny';
      const local =
        access.url && !isDenied && (await abortable(localHostOf(access.url, allowedHosts, resolve), signal));
      if (local) {
        report('firewall', 'ask', `It opens ${local}, which is not on the public internet. A yes is for this run.`);
        wanted = true;
      }
      // Nobody but the person opens the local network, so a mode in which nothing asks doesn't either: the tool refuses then.
      let asked = false;
      const onAskPerson = () => {
        asked = true;
        onAsk();
      };
      const answer = await permission.decide({ ...request, risk, wanted }, signal, onAskPerson, onDecision);
      if (local && asked && typeof answer === 'string' && answer.startsWith('allow')) allowedHosts.add(local);
      return answer;
    },
  };
}

/** What a call would touch. Arguments of a tool that doesn't say so, and isn't ours, are looked through. */
function accessOf(tool: ITool | undefined, args: Record<string, unknown>): ToolAccess {
  if (tool?.access) return tool.access(args);
  return tool && !tool.origin ? {} : { foreignArguments: args };
}
