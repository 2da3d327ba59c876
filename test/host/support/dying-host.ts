/**
 * Runs one host command like `host-process.ts`, and kills itself with SIGKILL just before the nth
 * rename of an uploaded file.
 */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs;
let remaining = Number(process.env['DIES_AT_RENAME']);
fs.rename = async (from, to) => {
  // Other renames belong to leftovers of earlier hosts.
  if (String(from).includes('/arriving/')) remaining -= 1;
  if (remaining === 0) process.kill(process.pid, 'SIGKILL');
  await rename(from, to);
};
syncBuiltinESMExports();
await import('./host-process.ts');
