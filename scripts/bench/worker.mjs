// One measurement in a process of its own: told by its parent which measure, which peer and with what; answers once.
const PEERS = { app: './adapter.mjs', raw: './raw-sdk.mjs' };

process.once('disconnect', () => process.exit());
process.once('message', async ({ measure, peer, input }) => {
  let answer;
  try {
    const { inWorker } = await import(`./measures/${measure}.mjs`);
    const create = peer && (await import(PEERS[peer])).default;
    answer = { value: await inWorker({ ...input, create }) };
  } catch (error) {
    answer = { error: String(error?.stack ?? error) };
  }
  process.send(answer, () => process.exit());
});
