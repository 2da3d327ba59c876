/**
 * Prints how many files a second the disk of a folder takes: 32 writers at a time, each of which
 * writes a new file of 4 KiB, syncs it, and moves it over its last one; the folder is synced once for
 * all that wait for it. A file counts once all of that is done. Runs once for each line of stdin.
 */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';

const [folder = '', milliseconds = '', writers = ''] = process.argv.slice(2);
const content = Buffer.alloc(4096, 'x');

async function syncRate(): Promise<number> {
  await mkdir(folder);
  await using handle = await open(folder);
  let running = Promise.resolve();
  let next: Promise<void> | undefined;
  const syncFolder = () => {
    next ??= running.then(() => {
      next = undefined;
      running = handle.sync();
      return running;
    });
    return next;
  };
  const from = performance.now();
  const until = from + Number(milliseconds);
  let synced = 0;
  const all = Array.from({ length: Number(writers) }, async (_, writer) => {
    const target = path.join(folder, String(writer));
    while (performance.now() < until) {
      const file = await open(`${target}.new`, 'wx');
      await file.writeFile(content);
      await file.sync();
      await file.close();
      await rename(`${target}.new`, target);
      await syncFolder();
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
