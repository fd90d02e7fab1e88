import { channelNames, EVENT_CHANNEL } from '@shared/contracts/index.ts';
import { BrowserWindow, type IpcMainInvokeEvent, ipcMain } from 'electron';
import type { Dispatch, SenderFrame } from '../services/routers/dispatcher.ts';
import { EventHub } from '../services/routers/event-hub.ts';

/** Answers every channel of the contracts, and no other. */
export function registerChannels(dispatch: Dispatch): void {
  for (const channel of channelNames) {
    ipcMain.handle(channel, (event, input: unknown) => dispatch(channel, senderFrame(event), input));
  }
}

/** The hub whose batches go to every window. */
export function createEventHub(): EventHub {
  return new EventHub((batch) => {
    for (const window of BrowserWindow.getAllWindows()) {
      if (!window.isDestroyed()) window.webContents.send(EVENT_CHANNEL, batch);
    }
  });
}

function senderFrame({ senderFrame: frame }: IpcMainInvokeEvent): SenderFrame | null {
  if (!frame) return null;
  return { url: frame.url, isMainFrame: frame.parent === null };
}
