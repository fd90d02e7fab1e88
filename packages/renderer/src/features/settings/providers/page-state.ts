/** Where one is in the section. `focus` says which control of the list has the focus: a provider's id, or `add`. */
export type ProvidersPage =
  | { name: 'list'; focus?: string }
  | { name: 'choose' }
  | { name: 'add'; preset: string }
  /** `test`: try it out as soon as the page is there. */
  | { name: 'edit'; providerId: string; test?: boolean };
