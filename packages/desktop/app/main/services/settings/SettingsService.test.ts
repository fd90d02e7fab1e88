import type { AppEvent } from '@shared/contracts/index.ts';
import { DEFAULT_SETTINGS } from '@shared/contracts/settings.contract.ts';
import { describe, expect, it } from 'vitest';
import { AppError } from '../ports/errors.ts';
import { SettingsService } from './SettingsService.ts';

function open(stored?: unknown) {
  const state = { stored, fail: false, events: [] as AppEvent[], invalid: [] as string[] };
  const service = new SettingsService({
    document: {
      read: () => state.stored,
      write: (document) => {
        if (state.fail) throw new AppError('store-failed', 'The disk is full.');
        state.stored = document;
      },
    },
    events: { emit: (event) => state.events.push(event) },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    onInvalid: (names) => state.invalid.push(...names),
  });
  return { service, state };
}

describe('SettingsService', () => {
  it('starts with the defaults and writes nothing by itself', () => {
    const { service, state } = open();
    expect(service.get()).toEqual(DEFAULT_SETTINGS);
    expect(state).toMatchObject({ stored: undefined, invalid: [] });
  });

  it('changes the named settings, stores them and tells', () => {
    const { service, state } = open();
    const after = service.set({ theme: 'dark', sidebarWidth: undefined });
    expect(after).toEqual({ ...DEFAULT_SETTINGS, theme: 'dark' });
    expect(state.events).toEqual([{ type: 'settings.changed', payload: after }]);
    expect(open(state.stored).service.get()).toEqual(after);
  });

  it('keeps the weak-secrets choice', () => {
    const { service, state } = open();
    service.set({ weakSecrets: 'session-only' });
    expect(open(state.stored).service.get().weakSecrets).toBe('session-only');
  });

  it.each([
    ['a wrong type', { theme: 7 }, ['theme']],
    ['an unknown choice', { theme: 'sepia', weakSecrets: 'plain' }, ['theme', 'weakSecrets']],
    ['a number out of range', { sidebarWidth: 1e9 }, ['sidebarWidth']],
    ['a broken nested object', { lastModel: { providerId: '' } }, ['lastModel']],
    ['null', { autoScroll: null }, ['autoScroll']],
  ])('falls back for one setting with %s, reports it and keeps the rest', (_, bad, names) => {
    const { service, state } = open({ showReasoning: false, ...bad });
    expect(service.get()).toEqual({ ...DEFAULT_SETTINGS, showReasoning: false });
    expect(state.invalid).toEqual(names);
  });

  it('leaves what it can’t use in the file until that setting is changed', () => {
    const { service, state } = open({ theme: 'sepia', ofANewerApp: { x: 1 } });
    service.set({ welcomed: true });
    expect(state.stored).toEqual({ theme: 'sepia', ofANewerApp: { x: 1 }, welcomed: true });
    service.set({ theme: 'light' });
    expect(state.stored).toEqual({ theme: 'light', ofANewerApp: { x: 1 }, welcomed: true });
  });

  it.each([
    ['an array', []],
    ['a number', 7],
    ['text', 'x'],
    ['null', null],
  ])('takes %s for nothing stored', (_, stored) => {
    const { service } = open(stored);
    expect(service.get()).toEqual(DEFAULT_SETTINGS);
    expect(service.set({ welcomed: true }).welcomed).toBe(true);
  });

  it('takes no setting from a __proto__ key', () => {
    const { service } = open(JSON.parse('{"__proto__":{"theme":"dark","welcomed":true}}'));
    expect(service.get()).toEqual(DEFAULT_SETTINGS);
  });

  it('changes nothing when the disk refuses', () => {
    const { service, state } = open();
    state.fail = true;
    expect(() => service.set({ theme: 'dark' })).toThrow(expect.objectContaining({ code: 'store-failed' }));
    expect(service.get()).toEqual(DEFAULT_SETTINGS);
    expect(state.events).toEqual([]);
  });

  it('refuses a value that breaks the contract', () => {
    const { service, state } = open();
    expect(() => service.set({ sidebarWidth: 3 })).toThrow();
    expect(state.stored).toBeUndefined();
  });
});
