/** A program that runs a host; its only argument is the options as JSON. */
import '../support/ends-with-parent.ts';
import { once } from 'node:events';
import { type HostOptions, startHost } from '../../../source/host/server/serve.ts';

const options = JSON.parse(process.argv[2] ?? '') as HostOptions;
const host = await startHost({
  ...options,
  limits: { minAmount: 0n },
  onFailure(error) {
    process.stderr.write(`${String(error)}\n`);
  },
});
for (const sentence of host.isolation) process.stdout.write(`${sentence}\n`);
await once(process, 'SIGTERM');
await host.close();
