import { create } from 'zustand';

export interface Toast {
  id: number;
  tone: 'neutral' | 'danger';
  text: string;
  /** A second line: what to do. */
  hint?: string;
  action?: { label: string; run: () => void };
}

interface ToastsState {
  toasts: Toast[];
  /** Shows a toast; it leaves by itself after eight seconds, or never while the pointer or the focus is on it. */
  show(toast: Omit<Toast, 'id'>): void;
  dismiss(id: number): void;
}

let lastId = 0;

export const useToasts = create<ToastsState>()((set) => ({
  toasts: [],
  show(toast) {
    lastId += 1;
    const id = lastId;
    // More than three at once is a heap that nobody reads.
    set(({ toasts }) => ({ toasts: [...toasts, { ...toast, id }].slice(-3) }));
  },
  dismiss(id) {
    set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
  },
}));

/** Shows an error that belongs to no place on the screen. */
export function toastError(error: { message: string; hint?: string }): void {
  useToasts.getState().show({ tone: 'danger', text: error.message, hint: error.hint });
}
