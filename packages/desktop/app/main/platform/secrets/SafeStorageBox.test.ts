import { describe, expect, it } from 'vitest';
import { SafeStorageBox } from './SafeStorageBox.ts';
import { TestKeyring } from './test-support.ts';

const SECRET = 'sk-test-0000 日本\0\n';

function setUp(
  keyring: TestKeyring,
  choice: 'store' | 'session-only' | null = null,
  platform: NodeJS.Platform = 'linux',
) {
  const logged: unknown[] = [];
  const log = (...entry: unknown[]) => void logged.push(entry);
  const state = { choice };
  const logger = { debug: log, info: log, warn: log, error: log };
  const box = () => new SafeStorageBox({ safeStorage: keyring, platform, weakChoice: () => state.choice, logger });
  return { box: box(), restarted: box, state, logged };
}

const code = (name: string) => expect.objectContaining({ code: name, hint: expect.any(String) });

describe('SafeStorageBox with a keyring', () => {
  it('seals and opens, over a restart too, and shows nothing of the secret', async () => {
    const { box, restarted } = setUp(new TestKeyring('a'));
    expect(await box.strength()).toBe('strong');
    const sealed = await box.seal(SECRET);
    expect(sealed).toMatch(/^sealed:1:system:[A-Za-z0-9+/=]+$/);
    expect(sealed + Buffer.from(sealed.split(':')[3]!, 'base64').toString('latin1')).not.toContain('sk-test');
    expect(await restarted().open(sealed)).toBe(SECRET);
    expect(await box.open(await box.seal(''))).toBe('');
  });

  it('doesn’t open a value of another machine, and opens it again where it belongs', async () => {
    const here = setUp(new TestKeyring('a'));
    const sealed = await setUp(new TestKeyring('b')).box.seal(SECRET);
    await expect(here.box.open(sealed)).rejects.toThrow(code('secret-unreadable'));
    expect(await setUp(new TestKeyring('b')).box.open(sealed)).toBe(SECRET);
  });

  it('doesn’t open bytes that decrypt to something else than a value of ours', async () => {
    const keyring = new TestKeyring('a');
    const foreign = (await keyring.encryptStringAsync('garbage')).toString('base64');
    await expect(setUp(keyring).box.open(`sealed:1:system:${foreign}`)).rejects.toThrow(code('secret-unreadable'));
  });

  it.each([
    '',
    'sk-plain',
    'sealed:',
    'sealed:1:system:',
    'sealed:1:system:%%%',
    'sealed:2:system:AAAA',
    'sealed:1:other:AAAA',
  ])('refuses %j', async (sealed) => {
    await expect(setUp(new TestKeyring('a')).box.open(sealed)).rejects.toThrow(code('secret-unreadable'));
  });

  it('opens again after the keyring was locked', async () => {
    const keyring = new TestKeyring('a');
    const { box, logged } = setUp(keyring);
    const sealed = await box.seal(SECRET);
    keyring.locked = true;
    await expect(box.open(sealed)).rejects.toThrow(code('secret-unreadable'));
    await expect(box.seal('other-secret')).rejects.toThrow(code('store-failed'));
    keyring.locked = false;
    expect(await box.open(sealed)).toBe(SECRET);
    expect(JSON.stringify(logged)).not.toContain('secret-');
  });

  it('hands out a new sealed value when the key was changed', async () => {
    const keyring = new TestKeyring('a');
    const { box } = setUp(keyring);
    const sealed = await box.seal(SECRET);
    const resealed: string[] = [];
    await box.open(sealed, (next) => resealed.push(next));
    expect(resealed).toEqual([]);
    keyring.rotated = true;
    await box.open(sealed, (next) => resealed.push(next));
    expect(resealed).toHaveLength(1);
    expect(resealed[0]).not.toBe(sealed);
    expect(await box.open(resealed[0]!)).toBe(SECRET);
  });

  it('takes the backend’s name as a matter of Linux only', async () => {
    expect(await setUp(new TestKeyring('a', 'basic_text'), null, 'darwin').box.strength()).toBe('strong');
  });
});

describe.each([
  ['only the weak backend', () => new TestKeyring('peanuts', 'basic_text'), 'weak'],
  ['no encryption', () => Object.assign(new TestKeyring('x'), { available: false }), 'none'],
] as const)('SafeStorageBox with %s', (_, keyring, strength) => {
  it('says so and seals nothing before the person has chosen', async () => {
    const { box } = setUp(keyring());
    expect(await box.strength()).toBe(strength);
    await expect(box.seal(SECRET)).rejects.toThrow(code('weak-secrets'));
  });

  it('keeps a secret for the session only, when that was chosen', async () => {
    const { box, restarted } = setUp(keyring(), 'session-only');
    const sealed = await box.seal(SECRET);
    expect(sealed).toMatch(/^sealed:1:session:/);
    expect(sealed).not.toContain('sk-test');
    expect(await box.open(sealed)).toBe(SECRET);
    await expect(restarted().open(sealed)).rejects.toThrow(
      expect.objectContaining({ code: 'secret-unreadable', hint: expect.stringContaining('Enter it again') }),
    );
  });
});

describe('SafeStorageBox, to store weakly', () => {
  it('uses the weak backend', async () => {
    const { box, restarted } = setUp(new TestKeyring('peanuts', 'basic_text'), 'store');
    const sealed = await box.seal(SECRET);
    expect(sealed).toMatch(/^sealed:1:weak:/);
    expect(await box.open(sealed)).toBe(SECRET);
    expect(await restarted().open(sealed)).toBe(SECRET);
  });

  it('opens what was stored weakly after the choice has changed, and moves it to a keyring that has come', async () => {
    const keyring = new TestKeyring('peanuts', 'basic_text');
    const { box, state, restarted } = setUp(keyring, 'store');
    const sealed = await box.seal(SECRET);
    state.choice = 'session-only';
    expect(await restarted().open(sealed)).toBe(SECRET);
    keyring.backend = 'gnome_libsecret';
    const resealed: string[] = [];
    expect(await restarted().open(sealed, (next) => resealed.push(next))).toBe(SECRET);
    expect(resealed).toEqual([expect.stringMatching(/^sealed:1:system:/)]);
  });

  it('never falls back to plain text where there is no encryption at all', async () => {
    const keyring = Object.assign(new TestKeyring('x'), { available: false });
    const { box } = setUp(keyring, 'store');
    await expect(box.seal(SECRET)).rejects.toThrow(code('weak-secrets'));
    // A keyring that is unlocked later is used.
    keyring.available = true;
    expect(await box.open(await box.seal(SECRET))).toBe(SECRET);
  });
});
