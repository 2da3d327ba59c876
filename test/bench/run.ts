/**
 * `npm run bench`: every figure against a reference that ran in turn with it, on this machine.
 * `npm run bench -- NAME...` runs only the measures of these names; `tail` stands for all `tail-...`.
 */
import { bytes } from './bytes.ts';
import { longLists } from './deployments.ts';
import { editLargeFile } from './edit.ts';
import { filterList } from './filter-list.ts';
import { install } from './install.ts';
import { hostLogs } from './host-logs.ts';
import { hostRequests } from './host-requests.ts';
import { hostWrites } from './host-writes.ts';
import { keysAtHighestRate, keysHere, keysOnSlowLink } from './keys.ts';
import { logPipe } from './log-pipe.ts';
import { type Row, table } from './measure.ts';
import { patterns } from './patterns.ts';
import { stallsUnderFlood } from './stalls.ts';
import { startUp } from './start-up.ts';
import { tailCpu } from './tail-cpu.ts';
import { tailFilter } from './tail-filter.ts';
import { tailIntake } from './tail-intake.ts';
import { tailJson } from './tail-json.ts';
import { tailMemory } from './tail-memory.ts';
import { largeTree } from './tree.ts';
import { uploads } from './upload.ts';

const measures: Readonly<Record<string, () => Promise<Row | readonly Row[]>>> = {
  install,
  'start-up': startUp,
  'slow-link': keysOnSlowLink,
  keys: keysHere,
  bytes,
  stalls: stallsUnderFlood,
  'log-pipe': logPipe,
  upload: uploads,
  edit: editLargeFile,
  tree: largeTree,
  deployments: longLists,
  'host-requests': hostRequests,
  'host-writes': hostWrites,
  'tail-intake': tailIntake,
  'tail-keys': keysAtHighestRate,
  'tail-cpu': tailCpu,
  'tail-memory': tailMemory,
  'tail-filter': tailFilter,
  'filter-list': filterList,
  'tail-json': tailJson,
  patterns,
  'host-logs': hostLogs,
};

const names = process.argv.slice(2);
const isMeant = (measure: string) => (name: string) =>
  name === measure || measure.startsWith(`${name}-`);
const unknown = names.filter((name) => !Object.keys(measures).some((each) => isMeant(each)(name)));
if (unknown.length > 0) {
  process.stderr.write(
    `No measure ${unknown.join(', ')}. There are: ${Object.keys(measures).join(', ')}.\n`,
  );
  process.exit(2);
}

const rows: Row[] = [];
for (const [name, measure] of Object.entries(measures)) {
  if (names.length > 0 && !names.some(isMeant(name))) continue;
  const measured = [await measure()].flat();
  for (const { what, ours, reference = '-' } of measured) {
    process.stderr.write(`${what}: ${ours} (${reference})\n`);
  }
  rows.push(...measured);
}
process.stdout.write(`${table(rows)}\n`);
