const VALUES = { number: 5, integer: 5, boolean: true, array: [], object: {} };

/** Arguments that a schema accepts, good enough for the suites' tools. One of them wants to see another tool's schema. */
export function argumentsFor({ properties = {} }, tools) {
  const valueFor = (name, schema) =>
    name === 'schema' && schema?.type === 'object'
      ? tools[0].inputSchema
      : (schema?.enum?.[0] ?? VALUES[schema?.type] ?? 'test');
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueFor(name, schema)]));
}
