/** The first `max` tools; the names of the others are reported, with a reason for people. */
export function limitTools<Tool>(
  tools: Tool[],
  max: number,
  nameOf: (tool: Tool) => string,
  onLeftOut: ((names: string[], reason: string) => void) | undefined,
): Tool[] {
  if (tools.length <= max) return tools;
  onLeftOut?.(tools.slice(max).map(nameOf), `This provider takes at most ${max} tools at a time.`);
  return tools.slice(0, max);
}
