/** Stands for the app itself, where a tool of a server has its server. Servers' own ids are UUIDs. */
export type BuiltinServerId = 'tinyelf';
