/** What documentation starts servers with. */
export const LAUNCHERS: ReadonlySet<string> = new Set(
  (
    'npx npm pnpm pnpx yarn bunx bun node deno tsx uvx uv pipx python python3 py docker podman go cargo dotnet java ' +
    'ruby php cmd claude gemini codex code cursor'
  ).split(' '),
);
