/**
 * `npm run fuzz -- --seed S --requests N` sends random requests to a host and checks its answers and
 * its files. `--request R` sends only that request. Exits with 1 on a fault.
 */
import { fuzz } from './fuzz.ts';
import { readOptions } from '../support/options.ts';

const values = readOptions({
  seed: { type: 'string', default: '1' },
  requests: { type: 'string', default: '10000' },
  request: { type: 'string' },
});
const seed = Number(values.seed);
const first = values.request === undefined ? 0 : Number(values.request);
const last = values.request === undefined ? Number(values.requests) : first + 1;
if (![seed, first, last].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  process.stderr.write('--seed, --requests and --request must be whole numbers.\n');
  process.exit(2);
}

const begun = performance.now();
const { statuses, faults, memory } = await fuzz({
  seed,
  first,
  last,
  onProgress: (done) => {
    process.stderr.write(`${done} of ${last - first}\n`);
  },
});
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
const counts = [...statuses]
  .sort(([a], [b]) => a - b)
  .map(([status, count]) => `${status}: ${count}`);
process.stdout.write(`seed ${seed}, ${last - first} requests in ${seconds} s\n`);
process.stdout.write(`answers ${counts.join(', ')}; memory ${memory?.toFixed(0) ?? '?'} MiB\n`);
for (const fault of faults) {
  process.stdout.write(`BROKEN ${fault}\n`);
  process.exitCode = 1;
}
