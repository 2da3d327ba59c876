/**
 * `npm run bench`: every figure against a reference that ran in turn with it, on this machine.
 * `npm run bench -- NAME ...` takes only those measurements.
 */
import { bytesOfChanges } from './bytes.ts';
import { keysHere, keysOnSlowLink } from './keys.ts';
import { logPipe } from './log-pipe.ts';
import { type Row, table } from './measure.ts';
import { stallsUnderFlood } from './stalls.ts';
import { startUp } from './start-up.ts';

const measurements: Readonly<Record<string, () => Promise<readonly Row[]>>> = {
  'start-up': startUp,
  'slow-link': keysOnSlowLink,
  keys: keysHere,
  bytes: bytesOfChanges,
  stalls: stallsUnderFlood,
  'log-pipe': async () => [await logPipe()],
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(measurements, name));
if (unknown.length > 0) {
  throw new Error(
    `no measurement ${unknown.join(', ')}; there are ${Object.keys(measurements).join(', ')}`,
  );
}

const rows: Row[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  process.stderr.write(`measuring ${name}\n`);
  rows.push(...(await measure()));
}
process.stdout.write(`${table(rows)}\n`);
