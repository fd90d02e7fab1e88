/** Where one is in the section. `focus` says which control of the list has the focus: a preset's id, or `add`. */
export type AgentsPage =
  | { name: 'list'; focus?: string }
  /** `from`: the preset that a new one begins as a copy of. */
  | { name: 'new'; from?: string }
  | { name: 'edit'; presetId: string };
