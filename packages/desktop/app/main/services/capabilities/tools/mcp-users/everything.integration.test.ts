import type { AppEvent } from '@shared/contracts/index.ts';
import type { McpServerDraft } from '@shared/contracts/mcp.contract.ts';
import { describe, expect, it } from 'vitest';
import { makePool, stateOf, until } from './__fixtures__/pool.ts';
import { everythingOverHttp, everythingOverStdio } from './__fixtures__/published-servers.ts';
import { McpContent } from './content/McpContent.ts';

const name = 'everything';
const ROADS: Record<string, () => Promise<McpServerDraft>> = {
  stdio: async () => ({ name, type: 'stdio', config: everythingOverStdio }),
  'streamable HTTP': async () => ({ name, type: 'http', config: { url: await everythingOverHttp('streamableHttp') } }),
  SSE: async () => ({ name, type: 'sse', config: { url: await everythingOverHttp('sse') } }),
  'SSE, found by trying HTTP first': async () => ({
    name,
    type: 'http',
    config: { url: await everythingOverHttp('sse') },
  }),
};

async function connect(draft: McpServerDraft) {
  const { service } = makePool();
  const events: AppEvent[] = [];
  const content = new McpContent(service, { emit: (event) => events.push(event) });
  const { id } = await service.add(draft);
  await service.connect(id);
  let calls = 0;
  const call: (tool: string, args?: Record<string, unknown>) => ReturnType<typeof service.callTool> = (tool, args) =>
    service.callTool(id, tool, args ?? {}, `call-${calls++}`);
  return { service, content, events, id, call };
}

describe.each(Object.entries(ROADS))('server-everything over %s', (_road, draft) => {
  it('has its tools called, whatever they answer with', async () => {
    const { service, id, call } = await connect(await draft());
    expect(stateOf(service, id)).toMatchObject({ status: 'ready', protocolVersion: '2025-11-25' });
    const tools = await service.listServerTools(id);
    expect(tools.map((tool) => tool.name)).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image', 'get-structured-content', 'get-resource-links']),
    );
    expect(await call('echo', { message: 'smørrebrød 日本 🦊' })).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: expect.stringContaining('smørrebrød 日本 🦊') }],
    });
    expect(await call('get-sum', { a: 2, b: 40 })).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('42') }],
    });
    expect((await call('get-tiny-image')).content).toContainEqual(
      expect.objectContaining({ type: 'image', mimeType: 'image/png' }),
    );
    const structured = await call('get-structured-content', { location: 'Chicago' });
    expect(structured).toMatchObject({ isError: false, structuredContent: { temperature: expect.any(Number) } });
    expect(structured.warnings).toBeUndefined();
    const links = await call('get-resource-links', { count: 3 });
    expect(links.content.filter(({ type }) => type === 'resource_link')).toHaveLength(3);
    const reference = await call('get-resource-reference', { resourceType: 'Text', resourceId: 1 });
    expect(reference.content.map(({ type }) => type)).toContain('resource');
    // Arguments that it refuses are an answer, and the connection goes on.
    expect(await call('get-sum', { a: 'two' })).toMatchObject({ isError: true });
    expect(await call('echo', { message: 'still here' })).toMatchObject({ isError: false });
  });

  it('tells of progress, and is told when a call is cancelled', async () => {
    const { service, id, call } = await connect(await draft());
    const steps: [number, number | undefined][] = [];
    const args = { duration: 1, steps: 4 };
    await service.callTool(id, 'trigger-long-running-operation', args, 'long', {
      onProgress: ({ progress, total }) => steps.push([progress, total]),
    });
    expect(steps).toEqual([1, 2, 3, 4].map((step) => [step, 4]));
    let begun = false;
    const endless = service.callTool(id, 'trigger-long-running-operation', { duration: 600, steps: 3000 }, 'endless', {
      onProgress: () => {
        begun = true;
      },
    });
    const failure = expect(endless).rejects.toMatchObject({ code: 'cancelled' });
    await until(() => begun, 'the call is running');
    service.cancelCall('endless');
    await failure;
    expect(await call('echo', { message: 'still here' })).toMatchObject({ isError: false });
  });

  it('gives resources, templates with suggestions, and prompts', async () => {
    const { content, id } = await connect(await draft());
    const { supported, resources, templates } = await content.resources(id);
    expect(supported).toBe(true);
    expect(resources.length).toBeGreaterThan(3);
    const [document] = await content.read({ serverId: id, uri: resources[0]!.uri });
    expect(document?.text).toContain('Everything');
    const { uriTemplate } = templates[0]!;
    const { uri } = content.expand({ serverId: id, uriTemplate, values: { resourceId: '7' } });
    expect((await content.read({ serverId: id, uri, name: 'Seven' }))[0]).toMatchObject({
      serverName: 'everything',
      name: 'Seven',
      uri,
      text: expect.stringContaining('Resource 7'),
      cut: false,
    });
    // Text that comes as a blob is text.
    const blob = { serverId: id, uri: 'demo://resource/dynamic/blob/5' };
    expect((await content.read(blob))[0]?.text).toContain('Resource 5');
    const suggested = await content.complete({
      serverId: id,
      of: { type: 'template', uriTemplate },
      argument: { name: 'resourceId', value: '3' },
      context: {},
    });
    expect(suggested.values).toContain('3');
    const { prompts } = await content.prompts(id);
    expect(prompts.map((prompt) => prompt.name)).toEqual(
      expect.arrayContaining(['simple-prompt', 'args-prompt', 'completable-prompt', 'resource-prompt']),
    );
    const filled = await content.prompt({ serverId: id, name: 'args-prompt', values: { city: 'Lyon' } });
    expect(filled.text).toContain('Lyon');
    const values = { resourceType: 'Text', resourceId: '3' };
    const { attachments } = await content.prompt({ serverId: id, name: 'resource-prompt', values });
    expect(attachments).toMatchObject([{ kind: 'content', part: { uri: expect.stringContaining('/3') } }]);
    const department = { type: 'prompt' as const, name: 'completable-prompt' };
    const argument = { name: 'name', value: '' };
    const context = { department: 'Sales' };
    expect((await content.complete({ serverId: id, of: department, argument, context })).values).toEqual([
      'David',
      'Eve',
      'Frank',
    ]);
  });

  it('tells when a resource that is followed changes, and keeps what a call has made of it', async () => {
    const { content, events, id, call } = await connect(await draft());
    const uri = 'demo://resource/dynamic/text/1';
    expect(await content.watch({ serverId: id, uri })).toEqual({ following: true });
    const updated = () => events.filter((event) => event.type === 'mcpContent.updated');
    await call('toggle-subscriber-updates');
    await until(() => updated().length > 0, 'it tells of a change');
    expect(updated()[0]?.payload).toEqual({ serverId: id, uri });
    content.unwatch();
    await content.resources(id);
    const data = `data:text/plain;base64,${Buffer.from('packed').toString('base64')}`;
    const packed = await call('gzip-file-as-resource', { name: 'note.gz', data, outputType: 'resourceLink' });
    expect(packed).toMatchObject({ isError: false });
    const listed = async () => (await content.resources(id)).resources.map((resource) => resource.uri);
    await expect.poll(listed, { timeout: 20_000 }).toContain('demo://resource/session/note.gz');
  });
});
