/**
 * A call's name as every provider takes it. Names of real tools are already; a model can make up others, and one such name
 * in the history would have every later request refused.
 */
export function wireToolName(name: string): string {
  const cleaned = name.replace(/[^\w-]/g, '_').slice(0, 64);
  return /^[A-Za-z_]/.test(cleaned) ? cleaned : `_${cleaned}`.slice(0, 64);
}
