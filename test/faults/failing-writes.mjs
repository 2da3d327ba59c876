/** Module that is preloaded into a console: once a file exists, it fails the n-th write of a file. */
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';

const { HOSTDECK_FAULT: fault = '', HOSTDECK_FAULT_FROM: from = '' } = process.env;
const [code, at] = fault.split(' ');
const probe = await open(process.execPath, 'r');
const prototype = Object.getPrototypeOf(probe);
await probe.close();
const { writeFile } = prototype;
let writes = 0;
prototype.writeFile = async function (...given) {
  if (existsSync(from)) writes += 1;
  if (writes === Number(at)) {
    writes += 1;
    throw Object.assign(new Error(`${code}: write`), { code, syscall: 'write' });
  }
  return writeFile.apply(this, given);
};
