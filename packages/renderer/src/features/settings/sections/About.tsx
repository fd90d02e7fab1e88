/** Placeholder of the section; its contents are built on the settings branch. */
export function About() {
  return null;
}
