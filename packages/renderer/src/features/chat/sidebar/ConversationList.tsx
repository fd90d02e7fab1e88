import type { Conversation } from '@shared/contracts/message-types.ts';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '../../../bridge/errors.ts';
import { useApp } from '../../../stores/app.ts';
import { useConversations } from '../../../stores/conversations.ts';
import { toastError, useToasts } from '../../../stores/toasts.ts';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { focusComposer } from '../composer/focus.ts';
import { ConversationItem } from './ConversationItem.tsx';
import { type DayGroup, groupByDay } from './group-by-day.ts';
import { targetOfKey } from './list-keys.ts';

export type Kind = 'all' | 'chats' | 'runs';

/** The conversations of a kind whose title contains `filter`, by day. One tab stop; arrows, Home, End and letters move within. */
export function ConversationList({ filter, kind = 'all' }: { filter: string; kind?: Kind }) {
  const { t } = useTranslation(['chat', 'agent']);
  const conversations = useConversations((state) => state.conversations);
  const selectedId = useConversations((state) => state.selectedId);
  const list = useRef<HTMLDivElement>(null);

  const groups = useMemo(() => {
    const wanted = filter.trim().toLocaleLowerCase();
    const shown = (conversations ?? []).filter(
      ({ title, agent }) =>
        title.toLocaleLowerCase().includes(wanted) && (kind === 'all' || (kind === 'runs') === (agent !== undefined)),
    );
    return groupByDay(shown, new Date());
  }, [conversations, filter, kind]);
  const none = kind === 'runs' ? t('agent:noRuns') : t('list.empty');
  const noMatch = kind === 'runs' ? t('agent:noRunMatch') : t('list.noMatch');
  const shown = groups.flatMap((group) => group.conversations);
  const tabStop = shown.some(({ id }) => id === selectedId) ? selectedId : shown[0]?.id;

  useEffect(() => {
    if (selectedId) itemElement(list.current, selectedId)?.scrollIntoView?.({ block: 'nearest' });
  }, [selectedId]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const id = event.target instanceof HTMLElement ? event.target.dataset.conversationId : undefined;
    if (!id) return;
    const current = shown.findIndex((conversation) => conversation.id === id);
    const target = targetOfKey(
      event,
      shown.map(({ title }) => title),
      current,
      Date.now(),
    );
    const to = target === null ? undefined : shown[target];
    if (!to) return;
    event.preventDefault();
    itemElement(list.current, to.id)?.focus();
  };

  if (conversations === null) return <Loading />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only moves the focus between the buttons inside
    <div
      ref={list}
      data-testid="conversation-list"
      onKeyDown={onKeyDown}
      className="min-h-0 grow overflow-y-auto px-3 pb-2"
    >
      {shown.length === 0 && <p className="px-3 py-2 text-muted text-sm">{filter === '' ? none : noMatch}</p>}
      {groups.map((group) => (
        <section key={keyOf(group)} aria-label={titleOf(group, t)}>
          <h2 className="px-3 pt-3 pb-1 font-medium text-muted text-xs">{titleOf(group, t)}</h2>
          <ul>
            {group.conversations.map((conversation) => (
              <ConversationItem
                key={conversation.id}
                conversation={conversation}
                selected={conversation.id === selectedId}
                tabStop={conversation.id === tabStop}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Deletes a conversation, with a way back for as long as the toast stands. */
export function removeWithUndo(conversation: Conversation, words: { removed: string; undo: string }): void {
  const { remove, restore, select } = useConversations.getState();
  const wasSelected = useConversations.getState().selectedId === conversation.id;
  const neighbour = neighbourOf(conversation.id);
  remove(conversation.id).then(
    () =>
      useToasts.getState().show({
        tone: 'neutral',
        text: words.removed,
        action: {
          label: words.undo,
          run: () =>
            void restore(conversation.id).then(
              () => {
                if (wasSelected) {
                  select(conversation.id);
                  useApp.getState().go({ name: 'chat' });
                }
                focusItem(conversation.id);
              },
              (thrown) => toastError(toApiError(thrown)),
            ),
        },
      }),
    (thrown) => toastError(toApiError(thrown)),
  );
  focusItem(neighbour);
}

/** The id of the conversation that takes the place of this one in the list when it goes. */
function neighbourOf(id: string): string | undefined {
  const ids = [...document.querySelectorAll<HTMLElement>('[data-conversation-id]')].map(
    (element) => element.dataset.conversationId,
  );
  const at = ids.indexOf(id);
  return ids[at + 1] ?? ids[at - 1];
}

/** Once the list has changed. The composer where there is no such item. */
function focusItem(id: string | undefined): void {
  setTimeout(() => {
    const item = id === undefined ? null : itemElement(document.body, id);
    if (item) item.focus();
    else focusComposer();
  });
}

function itemElement(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`[data-conversation-id="${CSS.escape(id)}"]`) ?? null;
}

const keyOf = (group: DayGroup): string => (group.kind === 'month' ? group.month.toISOString() : group.kind);

const titleOf = (group: DayGroup, t: TFunction<['chat', 'agent']>): string =>
  group.kind === 'month'
    ? group.month.toLocaleDateString('en-GB', { month: 'long', year: 'numeric' })
    : t(`list.${group.kind}`);

const Loading = () => (
  <div className="flex min-h-0 grow flex-col gap-3 px-6 pt-4">
    <Skeleton className="h-4 w-4/5" />
    <Skeleton className="h-4 w-3/5" />
    <Skeleton className="h-4 w-2/3" />
  </div>
);
