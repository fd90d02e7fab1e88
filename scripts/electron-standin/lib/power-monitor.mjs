import { refusingEmitter } from './not-emulated.mjs';

/** Electron's `powerMonitor`. Its events never come: the session bus isn't asked. */
class PowerMonitor extends refusingEmitter('powerMonitor') {
  isOnBatteryPower() {
    return false;
  }
  get onBatteryPower() {
    return false;
  }
  getSystemIdleTime() {
    return 0;
  }
  getSystemIdleState() {
    return 'active';
  }
}

export const powerMonitor = new PowerMonitor();
