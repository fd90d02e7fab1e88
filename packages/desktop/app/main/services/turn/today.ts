let known = { day: '', text: '' };

/**
 * The date for a system prompt, where the person is. Formatters cost more than all the rest of a prompt, and one that is kept
 * would stay in the time zone that it was made in.
 */
export function today(now: number): string {
  const day = new Date(now).toDateString();
  if (known.day !== day) known = { day, text: new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' }).format(now) };
  return known.text;
}
