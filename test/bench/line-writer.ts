/**
 * A process with much to say: waits for a file to be there, then writes lines of 100 characters as
 * fast as its pipe takes them; without a count until it is ended.
 */
import { existsSync, writeSync } from 'node:fs';

const [start = '', count = 'Infinity'] = process.argv.slice(2);
const together = 500;
const line = `${'2026-01-01 12:00:00 INFO web: GET /api/items/17 answered 200 '.padEnd(100, '.')}\n`;
const chunk = Buffer.from(line.repeat(together));

function writeWhole(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

const timer = setInterval(() => {
  if (!existsSync(start)) return;
  clearInterval(timer);
  for (let written = 0; written < Number(count); written += together) writeWhole(chunk);
  // Whoever ran it would run it again.
  setInterval(() => undefined, 10_000);
}, 2);
