import type { FileChange } from '@shared/contracts/agent-types.ts';
import { AgentService, type RunChanges, type RunMessages } from '../services/agent-core/AgentService.ts';
import { TinyElfEngine } from '../services/agent-core/engine/tinyelf/TinyElfEngine.ts';
import {
  TinyElfToolRegistryBuilder,
  type ToolSource,
} from '../services/agent-core/engine/tinyelf/TinyElfToolRegistryBuilder.ts';
import { PresetStore } from '../services/agent-core/PresetStore.ts';
import type { ConversationStore } from '../services/ports/conversations.ts';
import { AppError } from '../services/ports/errors.ts';
import type { EventSink } from '../services/ports/events.ts';
import type { WholeResults } from '../services/ports/whole-results.ts';
import type { Approvals } from '../services/turn/approval.ts';
import type { Platform, PostNotice } from './platform.ts';

export interface AgentOptions {
  platform: Platform;
  conversations: ConversationStore;
  approvals: Approvals;
  results: WholeResults;
  events: EventSink;
  post: PostNotice;
  messages: RunMessages;
  /** Folder with the presets that come with the app. */
  presetsFolder: string;
}

/** Puts the agent together. Nothing is started by this. */
export function createAgent(options: AgentOptions) {
  const { platform, conversations, approvals, results, events, post, messages, presetsFolder } = options;
  const { paths, logger, openDocument } = platform;

  // One line for each part of the built-in tools.
  const sources: ToolSource[] = [];
  const builder = new TinyElfToolRegistryBuilder(sources);

  const engine = new TinyElfEngine({ builder, approvalsFor: () => approvals, clock: Date, logger, results });

  const presets = new PresetStore({
    document: openDocument(paths.agentPresets),
    folder: presetsFolder,
    events,
    logger,
    onSkipped: (names) => {
      for (const name of names) post('record-skipped', { name });
    },
  });
  const service = new AgentService({
    store: conversations,
    presets,
    messages,
    changes: NO_CHANGES,
    events,
    builder,
    onModeChanged: () => {},
  });
  return { engine, service };
}

/** No tool changes files. */
const NO_CHANGES: RunChanges = {
  list: (): FileChange[] => [],
  diff: () => {
    throw new AppError('not-found', 'There is no such change.');
  },
  undo: () => {
    throw new AppError('not-found', 'There is no such change.');
  },
};
