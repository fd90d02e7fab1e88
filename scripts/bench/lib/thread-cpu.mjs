// Other threads of the process compile and collect meanwhile; they are no part of what this one waits for. Older Nodes can't
// tell them apart.
const usage = (process.threadCpuUsage ?? process.cpuUsage).bind(process);

/** CPU microseconds of this thread since `since`, an earlier answer of {@link threadCpu}. */
export function cpuSince(since) {
  const { user, system } = usage(since);
  return user + system;
}

/** Where the count stands. */
export const threadCpu = () => usage();
