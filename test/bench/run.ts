/** `npm run bench`: every figure against a reference that ran in turn with it, on this machine. */
import { logPipe } from './log-pipe.ts';
import { table } from './measure.ts';
import { startUp } from './start-up.ts';

const rows = [...(await startUp()), await logPipe()];
process.stdout.write(`${table(rows)}\n`);
