import { contextBridge, ipcRenderer } from 'electron';

/** Filled in by the build from the contracts: `domain.call`. */
declare const __CHANNEL_NAMES__: string[];

type Call = (input?: unknown) => Promise<unknown>;

// The renderer gets one function per channel and nothing of ipcRenderer itself: not even the event of a message.
const api: Record<string, Record<string, Call>> = {};
for (const channel of __CHANNEL_NAMES__) {
  const [domain, call] = channel.split('.') as [string, string];
  api[domain] ??= {};
  api[domain][call] = (input) => ipcRenderer.invoke(channel, input);
}

contextBridge.exposeInMainWorld('api', {
  ...api,
  subscribe(listener: (batch: unknown) => void): () => void {
    const onBatch = (_event: unknown, batch: unknown) => listener(batch);
    ipcRenderer.on('events', onBatch);
    return () => {
      ipcRenderer.off('events', onBatch);
    };
  },
});
