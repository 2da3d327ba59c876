/**
 * Runs one host command like `host-process.ts`, and kills itself with SIGKILL at the nth rename of a
 * file that has arrived: before that is done, as a kill from outside may come.
 */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs;
let left = Number(process.env['DIES_AT_RENAME']);
fs.rename = async (from, to) => {
  // Others are of folders that hosts before have left.
  if (String(from).includes('/arriving/')) left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
  await rename(from, to);
};
syncBuiltinESMExports();
await import('./host-process.ts');
