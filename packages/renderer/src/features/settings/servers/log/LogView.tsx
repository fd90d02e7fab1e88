import { ArrowDown } from 'lucide-react';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Virtualizer } from 'virtua';
import { Button } from '../../../../ui/Button.tsx';
import { type ScrollState, stillSticks } from '../../../../ui/stick-to-bottom.ts';
import { useReaderHand } from '../../../../ui/useReaderHand.ts';
import { LogRow } from './LogRow.tsx';
import type { LogLine } from './log-lines.ts';

/** The lines, of which only those in sight are drawn. Stays at the end until one scrolls up; then nothing moves. */
export function LogView({
  lines,
  isLoaded,
  isFiltered,
  paused,
  waitingCount,
  onHold,
}: {
  lines: readonly LogLine[];
  isLoaded: boolean;
  /** Some entries don't pass the filter. */
  isFiltered: boolean;
  paused: boolean;
  waitingCount: number;
  onHold: (isHeld: boolean) => void;
}) {
  const { t } = useTranslation('servers');
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const hand = useReaderHand(scroller);
  const sticks = useRef(true);
  const last = useRef<ScrollState>({ top: 0, height: 0, viewport: 0 });
  const [isAway, setIsAway] = useState(false);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());

  const follow = useCallback((follows: boolean) => {
    sticks.current = follows;
    setIsAway(!follows);
    if (follows && scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    const inner = content.current;
    if (!element || !inner) return;
    const observer = new ResizeObserver(() => {
      if (sticks.current) element.scrollTop = element.scrollHeight;
    });
    observer.observe(inner);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const onScroll = () => {
    if (!scroller.current) return;
    const { scrollTop, scrollHeight, clientHeight } = scroller.current;
    const now = { top: scrollTop, height: scrollHeight, viewport: clientHeight };
    const follows = stillSticks(sticks.current, last.current, now, hand.current);
    last.current = now;
    if (follows === sticks.current) return;
    sticks.current = follows;
    setIsAway(!follows);
    if (!paused) onHold(!follows);
  };

  const toggle = (number: number) => {
    // What one looks at stays where it is.
    if (!open.has(number) && sticks.current) {
      sticks.current = false;
      setIsAway(true);
      if (!paused) onHold(true);
    }
    setOpen((numbers) => (numbers.has(number) ? without(numbers, number) : new Set(numbers).add(number)));
  };

  return (
    <div className="relative">
      <div
        ref={scroller}
        role="log"
        // A busy server would talk without end.
        aria-live="off"
        aria-label={t('page.tab.log')}
        data-testid="server-log"
        // A box that scrolls must be reachable by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        onScroll={onScroll}
        className="relative h-96 max-h-[60vh] overflow-y-auto rounded-lg border border-border bg-code font-mono text-xs outline-offset-[-2px] [overflow-anchor:none]"
      >
        {isLoaded && lines.length === 0 && (
          <p className="px-3 py-8 text-center font-sans text-muted text-sm">
            {t(isFiltered ? 'log.noMatch' : 'log.empty')}
          </p>
        )}
        <div ref={content} className="py-2">
          <Virtualizer scrollRef={scroller} bufferSize={300}>
            {lines.map(({ entry, missing }) =>
              missing === undefined ? (
                <LogRow key={entry.number} entry={entry} isOpen={open.has(entry.number)} onToggle={toggle} />
              ) : (
                <p key={`before ${entry.number}`} className="px-3 py-px font-sans text-muted italic">
                  {t('log.missing', { count: missing })}
                </p>
              ),
            )}
          </Virtualizer>
        </div>
      </div>
      {isAway && !paused && (
        <div className="pointer-events-none absolute inset-x-0 bottom-3 flex justify-center">
          <Button
            icon={ArrowDown}
            size="sm"
            className="appear pointer-events-auto shadow-float"
            onClick={() => {
              onHold(false);
              follow(true);
            }}
          >
            {t('log.latest', { count: waitingCount })}
          </Button>
        </div>
      )}
    </div>
  );
}

function without(numbers: ReadonlySet<number>, number: number): ReadonlySet<number> {
  const left = new Set(numbers);
  left.delete(number);
  return left;
}
