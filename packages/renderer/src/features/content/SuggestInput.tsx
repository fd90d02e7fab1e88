import { type KeyboardEvent, type Ref, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cx } from '../../ui/cx.ts';
import type { FieldControlProps } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';

const ASK_AFTER_MS = 150;

/** A line of text with suggestions below it while it has the focus. Arrow keys choose one, Enter takes it. */
export function SuggestInput({
  value,
  onChange,
  suggest,
  name,
  testId,
  inputRef,
  ...control
}: FieldControlProps & {
  value: string;
  onChange: (value: string) => void;
  /** Asked again when the value changes, and when it is another function. Rejecting means none. */
  suggest: (value: string) => Promise<string[]>;
  /** Of the field, for screen readers. */
  name: string;
  testId?: string;
  inputRef?: Ref<HTMLInputElement>;
}) {
  const { t } = useTranslation('content');
  const listId = useId();
  const [focused, setFocused] = useState(false);
  const [values, setValues] = useState<string[]>([]);
  const [active, setActive] = useState(-1);

  useEffect(() => {
    if (!focused) return;
    let gone = false;
    const timer = setTimeout(() => {
      suggest(value).then(
        (found) => !gone && setValues(found.filter((each) => each !== value)),
        () => !gone && setValues([]),
      );
    }, ASK_AFTER_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [focused, value, suggest]);

  const shown = focused ? values : [];
  const pick = (picked: string) => {
    onChange(picked);
    setValues([]);
    setActive(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (shown.length === 0 || event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + shown.length) % shown.length);
    } else if (event.key === 'Enter' && shown[active] !== undefined) {
      event.preventDefault();
      pick(shown[active]);
    }
  };

  return (
    <div className="flex flex-col gap-1">
      <Input
        {...control}
        ref={inputRef}
        data-testid={testId}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={shown.length > 0}
        aria-controls={listId}
        aria-activedescendant={shown[active] === undefined ? undefined : `${listId}-${active}`}
        value={value}
        maxLength={65_536}
        onChange={(event) => {
          setActive(-1);
          onChange(event.target.value);
        }}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onKeyDown={onKeyDown}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={t('suggestions', { name })}
        className={cx(
          'max-h-40 overflow-y-auto rounded-md border border-border bg-surface-2 p-1',
          shown.length === 0 && 'hidden',
        )}
      >
        {shown.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the focus and takes the keys
          <div
            key={each}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // Keeps the focus where it is.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(each)}
            className={cx(
              'cursor-default rounded-sm px-2 py-1 text-sm [overflow-wrap:anywhere] hover:bg-surface-3',
              index === active && 'bg-surface-3',
            )}
          >
            {each}
          </div>
        ))}
      </div>
    </div>
  );
}
