/** Looks at `isThere` every so many milliseconds, and calls `returned` when it is true after it was false. */
export function onReturn(isThere: () => boolean, returned: () => void, everyMs: number): void {
  let was = isThere();
  const timer = setInterval(() => {
    const is = isThere();
    if (is && !was) returned();
    was = is;
  }, everyMs);
  timer.unref();
}
