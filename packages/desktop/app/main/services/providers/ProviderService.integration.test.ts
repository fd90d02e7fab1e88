import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AppEvent } from '@shared/contracts/index.ts';
import { describe, expect, it } from 'vitest';
import { createFileLogger } from '../../platform/logger/file-logger.ts';
import { createRedactor } from '../../platform/logger/redactor.ts';
import { SafeStorageBox } from '../../platform/secrets/SafeStorageBox.ts';
import { TestKeyring } from '../../platform/secrets/test-support.ts';
import { temporaryFolder } from '../../platform/storage/test-disks.ts';
import { openDocument } from '../../platform/storage/test-support.ts';
import { createDemoModel } from './demo/demo-model.ts';
import { ProviderService } from './ProviderService.ts';

const KEY = 'sk-test-0000-very-secret';

/** The service as the app composes it, over real files. */
function start(folder: string, keyring: TestKeyring, weakChoice: 'store' | 'session-only' | null = null) {
  const redactor = createRedactor();
  const logger = createFileLogger({ folder: join(folder, 'logs'), redactor, level: 'debug' });
  const events: AppEvent[] = [];
  const keys: (string | undefined)[] = [];
  const service = new ProviderService({
    document: openDocument(join(folder, 'providers.json')).document,
    secrets: new SafeStorageBox({ safeStorage: keyring, platform: 'linux', weakChoice: () => weakChoice, logger }),
    fetch: globalThis.fetch,
    events: { emit: (event) => events.push(event) },
    logger,
    createModelPort: (_format, { providerId, apiKey }) => {
      keys.push(apiKey);
      logger.info('A model is asked', { apiKey, url: `https://h.example/v1?key=${apiKey}` });
      return { providerId, toolFormat: 'openai', async *stream() {} };
    },
    listModels: async (_format, { apiKey }) => {
      throw new Error(`The server says: ${apiKey} is not known`);
    },
    demo: createDemoModel(),
    onSecret: (value) => redactor.add(value),
    onSkipped: () => undefined,
  });
  return { service, logger, events, keys };
}

function everyByteBelow(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return files
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
    .join('\n');
}

describe('a provider’s key', () => {
  it('is in no file of the app, in no event, and opens after a restart', async () => {
    using temp = temporaryFolder();
    const keyring = new TestKeyring('password');
    const { service, logger, events } = start(temp.folder, keyring);
    const view = await service.add({ preset: 'openai', name: 'OpenAI', baseUrl: null, key: KEY });
    await service.modelPort({ providerId: view.id, modelId: 'm' });
    const failure: unknown = await service.refreshModels({ providerId: view.id }).catch((error: unknown) => error);
    logger.error('The models could not be listed', { error: failure });
    await service.update({ providerId: view.id, name: 'Renamed' });

    const bytes = everyByteBelow(temp.folder);
    expect(bytes).toContain('Renamed');
    expect(bytes).toContain('A model is asked');
    expect(bytes).toContain('is not known');
    for (const form of [KEY, Buffer.from(KEY).toString('base64').slice(0, 20), Buffer.from(KEY).toString('hex')]) {
      expect(bytes).not.toContain(form);
      expect(JSON.stringify(events)).not.toContain(form);
    }

    const again = start(temp.folder, keyring);
    expect((await again.service.list())[1]).toMatchObject({ name: 'Renamed', keyState: 'set' });
    await again.service.modelPort({ providerId: view.id, modelId: 'm' });
    expect(again.keys).toEqual([KEY]);
  });

  it('of another machine is kept, and asked for', async () => {
    using temp = temporaryFolder();
    const first = start(temp.folder, new TestKeyring('there'));
    const { id: providerId } = await first.service.add({ preset: 'openai', name: 'O', baseUrl: null, key: KEY });
    const before = readFileSync(join(temp.folder, 'providers.json'), 'utf8');
    const second = start(temp.folder, new TestKeyring('here'));
    expect((await second.service.list())[1]!.keyState).toBe('unreadable');
    await expect(second.service.modelPort({ providerId, modelId: 'm' })).rejects.toThrow(
      expect.objectContaining({ code: 'key-missing', hint: expect.stringContaining('Enter it again') }),
    );
    expect(readFileSync(join(temp.folder, 'providers.json'), 'utf8')).toBe(before);
  });

  it('is never stored without the person’s choice where there is no keyring', async () => {
    using temp = temporaryFolder();
    const keyring = () => new TestKeyring('peanuts', 'basic_text');
    const add = { preset: 'openai', name: 'O', baseUrl: null, key: KEY };
    await expect(start(temp.folder, keyring()).service.add(add)).rejects.toThrow(
      expect.objectContaining({ code: 'weak-secrets' }),
    );
    const session = start(temp.folder, keyring(), 'session-only');
    expect((await session.service.add(add)).keyState).toBe('set');
    expect((await start(temp.folder, keyring(), 'session-only').service.list())[1]!.keyState).toBe('unreadable');
    expect(everyByteBelow(temp.folder)).not.toContain(KEY);
  });
});
