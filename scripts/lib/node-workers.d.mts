import type { Plugin } from 'vite';

export function nodeWorkers(): Plugin;
