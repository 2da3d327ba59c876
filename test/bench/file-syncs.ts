/**
 * Prints how many files a second the disk of a folder takes: 32 writers at a time, each of which
 * writes a new file of 4 KiB and syncs it, and does nothing else. Runs once for each line of stdin.
 */
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

const [folder = '', milliseconds = '', writers = ''] = process.argv.slice(2);
const content = Buffer.alloc(4096, 'x');

async function syncRate(): Promise<number> {
  await mkdir(folder);
  const from = performance.now();
  const until = from + Number(milliseconds);
  let synced = 0;
  const all = Array.from({ length: Number(writers) }, async (_, writer) => {
    for (let at = 0; performance.now() < until; at += 1) {
      await using file = await open(path.join(folder, `${writer}-${at}`), 'wx');
      await file.writeFile(content);
      await file.sync();
      synced += 1;
    }
  });
  await Promise.all(all);
  const rate = (synced * 1000) / (performance.now() - from);
  await rm(folder, { recursive: true });
  return rate;
}

for await (const _ of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await syncRate()}\n`);
}
