export const canSeeProcesses: boolean;

export class ProcessWatch {
  constructor(signs: { mark: string; text: string });
  note(pid: number): void;
  survivors(): string[];
  waitForNone(timeoutMs: number): Promise<string[]>;
}
