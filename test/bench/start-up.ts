import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startForeign } from '../servers/foreign.ts';
import { launch } from '../e2e/harness.ts';
import { inTurn, type Row } from './measure.ts';

const rounds = 7;

/** Ms until the console shows data of a service that already runs, and until `node -e 0` has ended. */
export async function startUp(): Promise<Row> {
  const foreign = await startForeign();
  const console = async (): Promise<number> => {
    const started = performance.now();
    await using session = launch({
      env: { HOSTDECK_BASE_URL: foreign.baseUrl, HOSTDECK_TOKEN: foreign.token },
      cols: 120,
      rows: 36,
    });
    await session.waitFor(/>o bazaar/);
    return performance.now() - started;
  };
  const node = async (): Promise<number> => {
    const started = performance.now();
    await once(spawn(process.execPath, ['-e', '0']), 'exit');
    return performance.now() - started;
  };
  const { ours, reference } = await inTurn(rounds, console, node);
  await foreign.close();
  return {
    what: 'start to the first screen with data',
    ours: `${ours.toFixed(0)} ms`,
    reference: `\`node -e 0\`: ${reference.toFixed(0)} ms`,
    ratio: ours / reference,
  };
}
