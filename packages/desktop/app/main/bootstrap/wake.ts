import { net, powerMonitor } from 'electron';
import { onReturn } from './on-return.ts';

const LOOK_EVERY_MS = 5000;

/** Calls `wake` when the machine wakes up, and when the network is back after it was gone. */
export function onWake(wake: () => void): void {
  powerMonitor.on('resume', wake);
  // Main gets no event for the network; looking is one flag of Chromium's.
  onReturn(() => net.isOnline(), wake, LOOK_EVERY_MS);
}
