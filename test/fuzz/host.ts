/**
 * Runs a host in a separate process; the only argument is the data folder. Prints a line of JSON when it
 * is ready and for each failure; ends with its input.
 */
import { startHost } from '../../source/host/server/serve.ts';

const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);
const host = await startHost({
  dataDir: process.argv[2] ?? '',
  port: 0,
  sample: false,
  graceMs: 1000,
  limits: {
    minAmount: 0n,
    maxUploadPartBytes: 64 * 1024,
    maxUploadParts: 50,
    maxUpdateBytes: 8 * 1024,
    headersTimeoutMs: 4000,
    bodyWindowMs: 2000,
  },
  onFailure: (error) => {
    say({ failure: error instanceof Error ? error.stack : String(error) });
  },
});
say({
  baseUrl: host.baseUrl,
  token: host.issueToken('0xowner'),
  foreignToken: host.issueToken('0xstranger'),
});
process.stdin.resume().once('end', () => {
  void host.close().then(() => process.exit());
});
