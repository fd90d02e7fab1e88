import fs from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, it } from 'vitest';
import { ABSENT, setUpElectron } from './lib/electron-module.mjs';
import { WebFrameMain } from './lib/frames.mjs';
import { Menu, MenuItem } from './lib/menu.mjs';
import { NativeImage } from './lib/native-image.mjs';
import { runtime } from './lib/runtime.mjs';
import { Session } from './lib/session.mjs';

const types = fs.readFileSync(createRequire(import.meta.url).resolve('electron/electron.d.ts'), 'utf8');

/** What every EventEmitter and object has, and the stand-in's own passage. */
const INHERITED = new Set(['standin', 'length', 'name', 'prototype', ...Object.getOwnPropertyNames(Object.prototype)]);

/**
 * @param {string} name of a class or interface of electron.d.ts
 * @returns {{ members: Set<string>, statics: Set<string>, parent: string | undefined, body: string }}
 */
function declared(name) {
  const match = new RegExp(
    `^ {2}(?:class|interface) ${name}(?: extends ([\\w.]+))?[^\\n]*\\{\\n([\\s\\S]*?)^ {2}\\}`,
    'm',
  ).exec(types);
  if (!match) throw new Error(`electron.d.ts doesn't declare ${name}`);
  const names = (pattern) => new Set([...match[2].matchAll(pattern)].map(([, member]) => member));
  return {
    members: names(/^ {4}(?:readonly )?(\w+)\??[(:<]/gm),
    statics: names(/^ {4}static (?:readonly )?(\w+)\??[(:<]/gm),
    parent: match[1],
    body: match[2],
  };
}

/** The members of a declaration and of what it extends. */
function membersOf(name) {
  const { members, parent } = declared(name);
  const inherited = parent && !/EventEmitter$/.test(parent) ? membersOf(parent) : new Set();
  return new Set([...members, ...inherited]);
}

/** The names on an object and its classes, down to what Node provides. */
function namesOn(object) {
  const names = new Set();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, 'eventNames')) break;
    for (const name of Object.getOwnPropertyNames(at)) if (!name.startsWith('_')) names.add(name);
  }
  return [...names].filter((name) => !INHERITED.has(name));
}

describe('the emulated surface', () => {
  /** @type {Record<string, any>} */
  let electron;
  beforeAll(() => {
    electron = setUpElectron('45.0.0');
  });

  it('has every part of the main process that Electron has, emulated or refused', () => {
    const main = /^ {2}namespace Main \{\n([\s\S]*?)^ {2}\}/m.exec(types)[1];
    const common = /^ {2}namespace Common \{\n([\s\S]*?)^ {2}\}/m.exec(types)[1];
    const parts = [...`${main}${common}`.matchAll(/^ {4}(?:const|class) (\w+)/gm)].map(([, name]) => name);
    expect(parts.length).toBeGreaterThan(30);
    expect(Object.keys(electron).filter((name) => !parts.includes(name))).toEqual([]);
    expect(parts.filter((name) => !Object.hasOwn(electron, name))).toEqual([]);
    expect(ABSENT.filter((name) => !parts.includes(name))).toEqual([]);
  });

  it.each([
    ['App', () => electron.app],
    ['CommandLine', () => electron.app.commandLine],
    ['Clipboard', () => electron.clipboard],
    ['Dialog', () => electron.dialog],
    ['IpcMain', () => electron.ipcMain],
    ['NativeTheme', () => electron.nativeTheme],
    ['Net', () => electron.net],
    ['PowerMonitor', () => electron.powerMonitor],
    ['Protocol', () => electron.protocol],
    ['SafeStorage', () => electron.safeStorage],
    ['Screen', () => electron.screen],
    ['Shell', () => electron.shell],
    ['BrowserWindow', () => electron.BrowserWindow.prototype],
    ['WebContents', () => electron.webContents.prototype],
    ['WebFrameMain', () => WebFrameMain.prototype],
    ['Session', () => new Session()],
    ['Menu', () => new Menu()],
    ['MenuItem', () => new MenuItem({ label: 'x' })],
    ['NativeImage', () => NativeImage.prototype],
    ['Notification', () => new electron.Notification({})],
  ])('%s has nothing that Electron lacks', (name, get) => {
    const real = membersOf(name);
    expect(real.size).toBeGreaterThan(0);
    const emulated = namesOn(get());
    expect(emulated.length).toBeGreaterThan(0);
    expect(emulated.filter((member) => !real.has(member))).toEqual([]);
  });

  it.each([
    ['BrowserWindow', () => electron.BrowserWindow],
    ['WebContents', () => electron.webContents],
    ['Menu', () => electron.Menu],
    ['Notification', () => electron.Notification],
  ])('%s has no static that Electron lacks', (name, get) => {
    const { statics } = declared(name);
    const parent = declared(name).parent;
    const all = parent && !/EventEmitter$/.test(parent) ? statics.union(declared(parent).statics) : statics;
    const emulated = Object.getOwnPropertyNames(get()).filter((member) => !INHERITED.has(member));
    expect(emulated.filter((member) => !all.has(member))).toEqual([]);
  });

  it.each([
    ['Clipboard', () => electron.clipboard],
    ['Dialog', () => electron.dialog],
    ['SafeStorage', () => electron.safeStorage],
    ['Shell', () => electron.shell],
  ])('%s answers at once or later as Electron does', (name, get) => {
    const { body } = declared(name);
    for (const [member, value] of Object.entries(get())) {
      const isAsync = Object.prototype.toString.call(value) === '[object AsyncFunction]';
      const returned = new RegExp(`^ {4}${member}\\(.*\\): (Promise)?`, 'm').exec(body);
      expect([member, isAsync]).toEqual([member, Boolean(returned?.[1])]);
    }
  });

  it('throws for anything else, except what tools look for', () => {
    expect(() => electron.app.noSuchThing).toThrow('not emulated: app.noSuchThing');
    expect(() => electron.Tray.name2).toThrow('not emulated: Tray.name2');
    expect(electron.app.then).toBeUndefined();
    expect(electron.app[Symbol.iterator]).toBeUndefined();
    expect(String(electron.dialog)).toBe('[object Object]');
    expect(JSON.stringify(electron.shell)).toBe('{}');
    expect(runtime.ready).toBe(false);
  });
});
