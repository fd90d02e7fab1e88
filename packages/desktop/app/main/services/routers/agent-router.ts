import { agentContract } from '@shared/contracts/agent.contract.ts';
import type { AgentService } from '../agent-core/AgentService.ts';
import { defineRouter } from './router.ts';

/** @param chooseFolder asks for a folder with the system's dialog; undefined when the person cancels */
export const createAgentRouter = (agent: AgentService, chooseFolder: () => Promise<string | undefined>) =>
  defineRouter(agentContract, {
    presets: () => agent.presets(),
    tools: () => agent.tools(),
    savePreset: (preset) => agent.savePreset(preset),
    removePreset: ({ presetId }) => agent.removePreset(presetId),
    chooseWorkspace: async () => (await chooseFolder()) ?? null,
    recentWorkspaces: () => agent.recentWorkspaces(),
    start: (run) => agent.start(run),
    setMode: ({ conversationId, mode }) => agent.setMode(conversationId, mode),
    say: ({ conversationId, text }) => agent.say(conversationId, text),
    changes: ({ conversationId }) => agent.changes(conversationId),
    diff: ({ conversationId, changeId }) => agent.diff(conversationId, changeId),
    preview: ({ conversationId, callId }) => agent.preview(conversationId, callId),
    undo: ({ conversationId, changeId, force }) => agent.undo(conversationId, changeId, force),
  });
