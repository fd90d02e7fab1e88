import type { Notice } from '@shared/contracts/app.contract.ts';

/** What the person must know and has not put away yet. Lives as long as the app runs. */
export class NoticeBoard {
  readonly #notices = new Map<string, Notice>();
  readonly #onPosted: (notice: Notice) => void;

  constructor(onPosted: (notice: Notice) => void) {
    this.#onPosted = onPosted;
  }

  /** Posts a notice; one of the same kind about the same thing replaces the earlier one. */
  post(kind: Notice['kind'], values: Record<string, string> = {}): void {
    const notice = { id: `${kind}:${Object.values(values).join(':')}`, kind, values };
    this.#notices.set(notice.id, notice);
    this.#onPosted(notice);
  }

  list(): Notice[] {
    return [...this.#notices.values()];
  }

  dismiss(id: string): void {
    this.#notices.delete(id);
  }

  dismissKind(kind: Notice['kind']): void {
    for (const notice of this.list()) if (notice.kind === kind) this.dismiss(notice.id);
  }
}
