import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { useChat } from '../../../stores/chat.ts';
import type { Row } from '../../../stores/chat-reducer.ts';
import { useSettings } from '../../../stores/settings.ts';
import { atEnd, type ScrollState, stillSticks } from '../../../ui/stick-to-bottom.ts';
import { useReaderHand } from '../../../ui/useReaderHand.ts';
import { MessageRow } from '../message/MessageRow.tsx';
import { LatestButton } from './LatestButton.tsx';
import { TranscriptEnd } from './TranscriptEnd.tsx';

export interface MessageListHandle {
  /** Goes to the end and follows what comes. */
  toLatest(): void;
}

interface Item extends Row {
  /** First and last row of an answer: one answer may take several rows, one for each round of tools. */
  opens: boolean;
  closes: boolean;
  latest: boolean;
}

const END = 'end';

/** The messages. Follows new text while the reader is at the end; otherwise nothing that is read moves. */
export function MessageList({ ref }: { ref?: Ref<MessageListHandle> }) {
  const { t } = useTranslation('chat');
  const rows = useChat((state) => state.rows);
  const autoScroll = useSettings((state) => state.settings?.autoScroll ?? true);
  const items = useMemo(() => itemsOf(rows), [rows]);
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const virtualizer = useRef<VirtualizerHandle>(null);
  const hand = useReaderHand(scroller);
  const sticks = useRef(true);
  const last = useRef<ScrollState>({ top: 0, height: 0, viewport: 0 });
  const [away, setAway] = useState(false);
  const [focused, setFocused] = useState<number | null>(null);

  const toLatest = useCallback(() => {
    sticks.current = true;
    setAway(false);
    scrollToEnd(virtualizer.current);
  }, []);
  useImperativeHandle(ref, () => ({ toLatest }), [toLatest]);

  // Opening a conversation shows its end, whatever is set about following.
  useLayoutEffect(() => {
    scrollToEnd(virtualizer.current);
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    let opened = false;
    const observer = new ResizeObserver(() => {
      const follows = sticks.current && (autoScroll || !opened);
      if (follows) element.scrollTop = element.scrollHeight;
      else setAway(!atEnd(measure(element)));
    });
    const settled = setTimeout(() => {
      opened = true;
    }, 1000);
    observer.observe(inner);
    observer.observe(element);
    return () => {
      clearTimeout(settled);
      observer.disconnect();
    };
  }, [autoScroll]);

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const now = measure(element);
    sticks.current = stillSticks(sticks.current, last.current, now, hand.current);
    last.current = now;
    setAway(!sticks.current && !atEnd(now));
  };

  // The browser goes where the ends are before the messages there are measured, and stops short of them.
  const toEnds = (event: KeyboardEvent<HTMLElement>) => {
    const onList = event.target === event.currentTarget || (event.target as Element).matches('button, a');
    if (event.defaultPrevented || !onList || (event.key !== 'Home' && event.key !== 'End')) return;
    event.preventDefault();
    if (event.key === 'End') toLatest();
    else virtualizer.current?.scrollToIndex(0);
  };

  return (
    <div className="relative h-full">
      <section
        ref={scroller}
        data-testid="message-list"
        aria-label={t('list.messages')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        onScroll={onScroll}
        onKeyDown={toEnds}
        onFocus={(event) => setFocused(indexOf(event.target))}
        onBlur={() => setFocused(null)}
        className="h-full overflow-y-auto [scrollbar-gutter:stable_both-edges] outline-offset-[-3px] [overflow-anchor:none]"
      >
        <div ref={content} className="pt-2">
          <Virtualizer
            ref={virtualizer}
            scrollRef={scroller}
            data={items}
            // What has the focus stays where it is when it scrolls out of sight.
            keepMounted={focused === null ? undefined : [focused]}
            bufferSize={400}
          >
            {(item, index) =>
              item.id === END ? (
                <TranscriptEnd key={END} />
              ) : (
                // Virtua takes the pointer from the list while it scrolls; a row that has its own isn't restyled each time.
                <div key={item.id} data-index={index} className="pointer-events-auto">
                  <MessageRow id={item.id} opens={item.opens} closes={item.closes} latest={item.latest} />
                </div>
              )
            }
          </Virtualizer>
        </div>
      </section>
      {away && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <LatestButton toLatest={toLatest} />
        </div>
      )}
    </div>
  );
}

function scrollToEnd(virtualizer: VirtualizerHandle | null): void {
  virtualizer?.scrollToIndex(useChat.getState().rows.length, { align: 'end' });
}

function itemsOf(rows: readonly Row[]): Item[] {
  const items: Item[] = rows.map((row, index) => ({
    ...row,
    opens: row.role !== rows[index - 1]?.role,
    closes: row.role !== rows[index + 1]?.role,
    latest: index === rows.length - 1,
  }));
  items.push({ id: END, role: 'assistant', opens: false, closes: false, latest: false });
  return items;
}

const measure = ({ scrollTop, scrollHeight, clientHeight }: HTMLElement): ScrollState => ({
  top: scrollTop,
  height: scrollHeight,
  viewport: clientHeight,
});

function indexOf(element: Element): number | null {
  const index = element.closest('[data-index]')?.getAttribute('data-index');
  return index === null || index === undefined ? null : Number(index);
}
