const { contextBridge, ipcRenderer } = require('electron');

globalThis.onlyInPreload = true;
contextBridge.exposeInMainWorld('api', {
  invoke: (channel, ...args) => ipcRenderer.invoke(channel, ...args),
  send: (channel, ...args) => ipcRenderer.send(channel, ...args),
  on: (channel, listener) => {
    const wrapped = (_event, ...args) => listener(...args);
    ipcRenderer.on(channel, wrapped);
    return () => ipcRenderer.off(channel, wrapped);
  },
  describe: () => ({ platform: process.platform, type: process.type, sandboxed: process.sandboxed }),
  tryRequire: (name) => {
    try {
      require(name);
      return 'loaded';
    } catch (error) {
      return error.message;
    }
  },
  same: (value) => value,
  call: (callback, ...args) => callback(...args),
  fail: () => {
    throw new RangeError('from the preload');
  },
});
