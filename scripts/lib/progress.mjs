/** How often a step that is still running says so, in milliseconds. */
const REMINDER_MS = 10_000;

/** `820 ms`, `12 s` or `3 min 5 s`. */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * Runs one long step and tells the person about it: its name at the start, a sign of life every ten seconds, its time at
 * the end. `work` receives a function that sets what the next sign of life says.
 */
export async function step(title, work) {
  const start = performance.now();
  let detail = '';
  console.log(`• ${title} …`);
  const reminder = setInterval(() => {
    console.log(`  ${duration(performance.now() - start)}${detail ? `, ${detail}` : ''}`);
  }, REMINDER_MS);
  try {
    const result = await work((text) => {
      detail = text;
    });
    console.log(`  took ${duration(performance.now() - start)}`);
    return result;
  } finally {
    clearInterval(reminder);
  }
}
