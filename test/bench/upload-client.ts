/** Uploads all files of a folder in one request; prints the ms it took and its peak memory in bytes. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '../../source/client/client.ts';

const [folder = '', deployment = ''] = process.argv.slice(2);
const client = createClient({
  baseUrl: process.env['HOSTDECK_BASE_URL'] ?? '',
  token: process.env['HOSTDECK_TOKEN'] ?? '',
});
const names = await readdir(folder);
const parts = names.map((name) => ({ path: name, source: { file: path.join(folder, name) } }));
// The console has loaded its client and asked for lists by the time that something is uploaded.
await client.files.list(deployment, 'web');
const before = process.memoryUsage().rss;
const started = performance.now();
const result = await client.files.upload(deployment, 'web', parts, { onProgress() {} });
const ms = performance.now() - started;
if (!result.ok) throw new Error(`${result.error.sentence} ${result.error.errorMessage ?? ''}`);
await client.close();
const peak = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ ms, before, peak }));
