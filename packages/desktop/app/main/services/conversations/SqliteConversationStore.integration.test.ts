import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { canMakeDisks, smallDisk, temporaryFolder } from '../../platform/storage/test-disks.ts';
import { openStore, textMessage } from './test-support.ts';

const storeFailed = expect.objectContaining({ code: 'store-failed', hint: expect.any(String) });

describe('kill -9', () => {
  it('loses no row that was put before it, streaming or not', async () => {
    using temp = temporaryFolder();
    const file = join(temp.folder, 'c.db');
    const writer = join(temp.folder, 'writer.mts');
    const support = new URL('./test-support.ts', import.meta.url).href;
    const aliases = new URL('../../../shared/', import.meta.url).href;
    writeFileSync(
      writer,
      `import { registerHooks } from 'node:module';
      registerHooks({ resolve: (specifier, context, next) =>
        next(specifier.startsWith('@shared/') ? ${JSON.stringify(aliases)} + specifier.slice(8) : specifier, context) });
      const { openStore, textMessage } = await import(${JSON.stringify(support)});
      const { store } = openStore(${JSON.stringify(file)});
      const { id } = store.create({ model: null });
      store.putMessage(textMessage(id, 'question'));
      for (let n = 1; ; n++) {
        store.putMessage(textMessage(id, 'answer', { status: 'streaming', parts: [{ type: 'text', text: 'w'.repeat(n) }] }));
        console.log(n);
      }`,
    );
    const child = spawn(process.execPath, [writer], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let last = 0;
    const lines = createInterface(child.stdout).on('line', (line) => {
      last = Number(line);
    });
    // Each row reaches the disk, and a busy one takes a tenth of a second for that.
    await vi.waitFor(() => expect(last).toBeGreaterThan(50), { timeout: 40_000 });
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), once(lines, 'close')]);

    const { store, reports } = openStore(file);
    expect(reports).toEqual([]);
    const [answer] = store.unfinishedMessages();
    const part = answer!.parts[0]!;
    expect(part.type === 'text' && part.text.length).toBeGreaterThanOrEqual(last);
    expect(store.messages(answer!.conversationId).map((m) => m.id)).toEqual(['question', 'answer']);
    store.close();
  });
});

describe.skipIf(!canMakeDisks())('a disk that refuses', () => {
  it('full: says so, keeps what was stored, and goes on when there is space again', () => {
    using disk = smallDisk('1m');
    const { store, reports } = openStore(join(disk.folder, 'c.db'));
    const { id } = store.create({ model: null });
    store.putMessage(textMessage(id, 'first'));
    writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(300_000));
    const big = textMessage(id, 'big', { parts: [{ type: 'text', text: 'y'.repeat(900_000) }] });
    expect(() => store.putMessage(big)).toThrow(storeFailed);
    expect(store.messages(id).map((m) => m.id)).toEqual(['first']);
    writeFileSync(join(disk.folder, 'ballast'), '');
    store.putMessage(textMessage(id, 'second'));
    expect(store.messages(id).map((m) => m.id)).toEqual(['first', 'second']);
    store.close();
    expect(reports).toEqual([]);
  });

  it('full at the start: reads what is stored, and writes when there is space again', () => {
    using disk = smallDisk('1m');
    const file = join(disk.folder, 'c.db');
    const before = openStore(file).store;
    const { id } = before.create({ model: null });
    before.putMessage(textMessage(id, 'first'));
    before.close();
    fill(join(disk.folder, 'ballast'));
    const { store, reports } = openStore(file);
    expect(store.messages(id)).toHaveLength(1);
    expect(() =>
      store.putMessage(textMessage(id, 'x', { parts: [{ type: 'text', text: 'x'.repeat(200_000) }] })),
    ).toThrow(storeFailed);
    writeFileSync(join(disk.folder, 'ballast'), '');
    store.putMessage(textMessage(id, 'second'));
    store.close();
    expect(reports).toEqual([]);
    expect(openStore(file).store.messages(id)).toHaveLength(2);
  });

  it('read-only: reads what is stored and refuses to write', () => {
    using disk = smallDisk('1m');
    const file = join(disk.folder, 'c.db');
    const before = openStore(file).store;
    const { id } = before.create({ model: null });
    before.putMessage(textMessage(id, 'first'));
    before.close();
    disk.remount('ro');
    const { store, reports } = openStore(file);
    expect(store.list()).toHaveLength(1);
    expect(store.messages(id)).toHaveLength(1);
    expect(() => store.create({ model: null })).toThrow(storeFailed);
    expect(() => store.remove(id)).toThrow(storeFailed);
    disk.remount('rw');
    store.touch(id);
    store.close();
    expect(reports).toEqual([]);
  });

  it('read-only without a file, or with a damaged one: starts empty and leaves everything as it is', () => {
    using disk = smallDisk('1m');
    const damaged = join(disk.folder, 'damaged.db');
    mkdirSync(join(disk.folder, 'empty'));
    writeFileSync(damaged, 'not a database');
    disk.remount('ro');
    for (const file of [damaged, join(disk.folder, 'empty', 'c.db'), join(disk.folder, 'missing', 'c.db')]) {
      const { store } = openStore(file);
      expect(store.list()).toEqual([]);
      expect(() => store.create({ model: null })).toThrow(storeFailed);
      // Each attempt to write tries to open it again.
      expect(filesHeldOpen()).not.toContain(file);
      store.close();
    }
    expect(readdirSync(disk.folder).sort()).toEqual(['damaged.db', 'empty']);
  });
});

/** Under Linux, where disks can be made. */
const filesHeldOpen = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });

/** Writes until nothing fits any more. */
function fill(path: string): void {
  for (let size = 1_000_000; size >= 512; size /= 2) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: 'a' });
    } catch {
      // Smaller pieces still fit.
    }
  }
}
