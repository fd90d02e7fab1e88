import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { visiblePieces } from './visible-text.ts';

/** Text of someone who may want to hide something in it: what can't be seen is shown by its code. */
export function VisibleText({ text }: { text: string }) {
  const { t } = useTranslation();
  let at = 0;
  return (
    // Each line by itself: a text may change its direction with its language.
    <bdi className="[unicode-bidi:plaintext]">
      {visiblePieces(text).map((piece) => {
        at += 1;
        if ('text' in piece) return <Fragment key={at}>{piece.text}</Fragment>;
        return (
          <span
            key={at}
            title={t('hiddenCharacter')}
            className="mx-0.5 rounded-sm bg-warning-soft px-1 font-mono text-warning text-xs"
          >
            {piece.hidden}
          </span>
        );
      })}
    </bdi>
  );
}
