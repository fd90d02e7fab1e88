import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, parse } from 'node:path';
import type { AgentContract } from '@shared/contracts/agent.contract.ts';
import type { AgentPreset, AgentRun, FileChange, PermissionMode } from '@shared/contracts/agent-types.ts';
import type { CallOutput, ParsedInput } from '@shared/contracts/contract.ts';
import type { Conversation, Message, ModelRef } from '@shared/contracts/message-types.ts';
import type { ConversationStore } from '../ports/conversations.ts';
import { AppError } from '../ports/errors.ts';
import type { EventSink } from '../ports/events.ts';
import type { TinyElfToolRegistryBuilder } from './engine/tinyelf/TinyElfToolRegistryBuilder.ts';
import { isInside, Workspace } from './engine/tinyelf/workspace.ts';
import type { PresetStore } from './PresetStore.ts';

/** How messages get into a run; CompletionService implements it. */
export interface RunMessages {
  chatInSession(conversationId: string, message: { text: string; model: ModelRef }): Promise<unknown>;
  say(conversationId: string, text: string): void;
  /** The conversation as it stands, with what a turn is at. */
  liveMessages(conversationId: string): readonly Message[];
}

/** The files that runs have changed. */
export interface RunChanges {
  /** Oldest first. */
  list(conversationId: string): FileChange[] | Promise<FileChange[]>;
  /** A unified diff. Throws AppError `not-found`. */
  diff(conversationId: string, changeId: string): string | Promise<string>;
  /** Throws AppError `not-found`, `changed-since` unless `force`. */
  undo(conversationId: string, changeId: string, options: { force: boolean }): FileChange | Promise<FileChange>;
}

export interface AgentServiceDeps {
  store: ConversationStore;
  presets: PresetStore;
  messages: RunMessages;
  changes: RunChanges;
  events: EventSink;
  builder: TinyElfToolRegistryBuilder;
  /** Decides again about the calls of a run that wait for the person. */
  onModeChanged: (conversationId: string) => void;
}

const MAX_RECENT = 10;
/** So much of the goal goes with the run wherever it is listed, in UTF-16 units; the whole of it is its first message. */
const MAX_LISTED_GOAL = 10_000;

/** Runs of the agent, beyond what they have in common with every conversation. */
export class AgentService {
  readonly #deps: AgentServiceDeps;

  constructor(deps: AgentServiceDeps) {
    this.#deps = deps;
  }

  presets(): AgentPreset[] {
    return this.#deps.presets.list();
  }

  savePreset(preset: ParsedInput<AgentContract, 'savePreset'>): AgentPreset {
    return this.#deps.presets.save(preset);
  }

  removePreset(presetId: string): void {
    this.#deps.presets.remove(presetId);
  }

  /** Built-in tools that a preset can name. `changes`: they may change something. */
  async tools(): Promise<CallOutput<AgentContract, 'tools'>> {
    // They are only looked at, and look the same in every workspace.
    const place = { conversationId: '', workspace: await Workspace.open(homedir()) };
    const tools = this.#deps.builder.buildToolRegistry(place).getAll();
    return tools.map(({ name, description, risk }) => ({ name, description, changes: risk !== 'safe' }));
  }

  /**
   * Makes a run and begins it with the goal. Throws AppError `not-found` for the preset, `workspace-missing`, `workspace-too-wide`, and what
   * `chatInSession` throws; there is no run then.
   */
  async start(input: ParsedInput<AgentContract, 'start'>): Promise<Conversation> {
    const { store, presets, messages, events } = this.#deps;
    const { goal, mode, model } = input;
    const preset = presets.get(input.presetId);
    const { root: workspace } = await openWorkspace(input.workspace);
    const { id } = store.create({
      model,
      agent: { preset, workspace, goal: goal.slice(0, MAX_LISTED_GOAL).toWellFormed(), mode },
    });
    try {
      this.#changed(id);
      await messages.chatInSession(id, { text: goal, model });
    } catch (error) {
      store.remove(id);
      events.emit({ type: 'conversations.removed', payload: { conversationId: id } });
      throw error;
    }
    return this.#run(id);
  }

  /** Counts from the next call on. Throws AppError `not-found`, `store-failed`. */
  setMode(conversationId: string, mode: PermissionMode): Conversation {
    const { agent } = this.#run(conversationId);
    this.#deps.store.setAgent(conversationId, { ...agent, mode });
    this.#deps.onModeChanged(conversationId);
    return this.#changed(conversationId);
  }

  /** Says something while the run goes on. Throws AppError `not-found`, `not-running`, `store-failed`. */
  say(conversationId: string, text: string): void {
    this.#run(conversationId);
    this.#deps.messages.say(conversationId, text);
  }

  /** Workspaces of runs that still exist, last used first, at most ten. */
  async recentWorkspaces(): Promise<string[]> {
    const used = new Set(this.#deps.store.list().flatMap(({ agent }) => (agent ? [agent.workspace] : [])));
    const existing: string[] = [];
    for (const folder of used) {
      if (existing.length === MAX_RECENT) break;
      if (await isFolder(folder)) existing.push(folder);
    }
    return existing;
  }

  changes(conversationId: string): FileChange[] | Promise<FileChange[]> {
    this.#run(conversationId);
    return this.#deps.changes.list(conversationId);
  }

  diff(conversationId: string, changeId: string): string | Promise<string> {
    this.#run(conversationId);
    return this.#deps.changes.diff(conversationId, changeId);
  }

  /**
   * A unified diff of what a call that waits for the person would change, as the file is now. Throws AppError `not-found` for a
   * call that there isn't, or that changes no file.
   */
  async preview(conversationId: string, callId: string): Promise<string> {
    const { agent } = this.#run(conversationId);
    const call = this.#deps.messages
      .liveMessages(conversationId)
      .flatMap(({ parts }) => parts)
      .find((part) => part.type === 'tool' && part.callId === callId);
    const place = { conversationId, workspace: await Workspace.open(agent.workspace) };
    const tool = call?.type === 'tool' && this.#deps.builder.buildToolRegistry(place).get(call.wireName);
    const display = tool && (await tool.preview?.(call.args ?? {}));
    if (!display) throw new AppError('not-found', 'What this call would change is not known any more.');
    return display.diff;
  }

  undo(conversationId: string, changeId: string, force: boolean): FileChange | Promise<FileChange> {
    this.#run(conversationId);
    return this.#deps.changes.undo(conversationId, changeId, { force });
  }

  #run(conversationId: string): Conversation & { agent: AgentRun } {
    const conversation = this.#deps.store.get(conversationId);
    if (!conversation?.agent) throw new AppError('not-found', 'This run does not exist any more.');
    return { ...conversation, agent: conversation.agent };
  }

  /** Shows the run as it stands now. */
  #changed(conversationId: string): Conversation {
    const conversation = this.#run(conversationId);
    this.#deps.events.emit({ type: 'conversations.changed', payload: { conversation } });
    return conversation;
  }
}

async function openWorkspace(folder: string): Promise<Workspace> {
  if (!isAbsolute(folder) || folder.includes('\0')) {
    throw new AppError('workspace-missing', 'The workspace is no full path of a folder.', { hint: 'Choose a folder.' });
  }
  const workspace = await Workspace.open(folder);
  const isWholeDisk = parse(workspace.root).root === workspace.root;
  if (isWholeDisk || isInside(workspace.root, dirname(homedir()))) {
    throw new AppError('workspace-too-wide', `${workspace.root} holds more than one person’s files.`, {
      hint: 'Choose a folder within it: a run may change whatever its folder holds.',
    });
  }
  return workspace;
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
