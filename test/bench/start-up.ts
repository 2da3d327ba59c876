import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Home } from '../e2e/harness-home.ts';
import { type Condition, launch } from '../e2e/harness.ts';
import { startForeign } from '../servers/foreign.ts';
import { inTurn, type Row } from './measure.ts';

const rounds = 15;

interface Stage {
  readonly what: string;
  readonly until: Condition;
  /** The ratio that is to be reached. */
  readonly goal: number;
}

/** A key typed on the skeleton is answered by the first frame that is drawn from the stores. */
const stages: readonly Stage[] = [
  { what: 'start to the skeleton', until: '1 Deployments', goal: 1.25 },
  { what: 'start to the first real frame: a key is answered', until: '[2 Files', goal: 3.5 },
  {
    what: 'start to usable: and data is there',
    until: /\[2 Files.*o bazaar|o bazaar.*\[2 Files/s,
    goal: 5,
  },
];

/**
 * Ms from the start of the console on a service that already runs, and from that of `node -e 0` to
 * its end. The first start of each stage compiles and counts for nothing.
 */
export async function startUp(): Promise<readonly (Row & { readonly goal: number })[]> {
  const foreign = await startForeign();
  const home = new Home();
  const rows = [];
  for (const stage of stages) {
    const deck = (): Promise<number> => start(foreign, home, stage.until);
    const { ours, reference } = await inTurn(rounds, deck, bareNode);
    rows.push({
      what: stage.what,
      ours: `${ours.toFixed(0)} ms`,
      reference: `\`node -e 0\`: ${reference.toFixed(0)} ms`,
      ratio: ours / reference,
      goal: stage.goal,
    });
  }
  home.remove();
  await foreign.close();
  return rows;
}

async function start(
  foreign: { readonly baseUrl: string; readonly token: string },
  home: Home,
  until: Condition,
): Promise<number> {
  const started = performance.now();
  await using session = launch({
    env: { HOSTDECK_BASE_URL: foreign.baseUrl, HOSTDECK_TOKEN: foreign.token },
    cols: 120,
    rows: 36,
    home,
  });
  await session.waitFor('1 Deployments');
  session.press('2');
  await session.waitFor(until);
  // `arrival` excludes the time that the emulator takes for the text.
  const took = session.arrival - started;
  // An orderly end writes the compiled code for the next start.
  session.kill('SIGTERM');
  await session.exited;
  return took;
}

async function bareNode(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ['-e', '0']), 'exit');
  return performance.now() - started;
}
