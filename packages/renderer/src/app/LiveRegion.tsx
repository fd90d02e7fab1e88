import { useApp } from '../stores/app.ts';

/** Says aloud what happens, for those who don't see it. */
export function LiveRegion() {
  const { text, assertive } = useApp((state) => state.announcement);
  return (
    <div className="sr-only">
      <div aria-live="polite">{assertive ? '' : text}</div>
      <div aria-live="assertive">{assertive ? text : ''}</div>
    </div>
  );
}
