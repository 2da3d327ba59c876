/**
 * A foreign service in a process of its own, one of its services with 50,000 files:
 * `tree-server.ts FILES`, where FILES says how it lists them (`paths` answers the same bytes each
 * time, `records` with another time of change for each file). Prints its address.
 */
import { foreignDefaults } from '../servers/foreign/options.ts';
import { startForeign } from '../servers/foreign.ts';

const files = process.argv[2] === 'records' ? 'records' : 'paths';
const foreign = await startForeign({ ...foreignDefaults, files });
// Half of them in one folder, half in many.
for (let index = 0; index < 25_000; index += 1) {
  foreign.put(foreign.sample, 'worker', `data/part-${index * 7919}.bin`, '');
  const area = `area-${index % 25}/module-${index % 500}`;
  foreign.put(foreign.sample, 'worker', `source/${area}/file-${index}.ts`, '');
}
process.stdout.write(`${foreign.baseUrl}\n`);
