import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './key-latency.ts';
import type { Session } from '../e2e/harness.ts';
import { press, type Step } from './list-keys.ts';
import { launchWatched } from './watched-console.ts';

/** Milliseconds in which the console does the work of its start. */
const settleMs = 5000;

/** Figures of a console. */
export interface ConsoleFigures {
  /** Milliseconds from its start until all deployments are listed. */
  readonly listed: number;
  /** Milliseconds from a key to the screen that it changes, of each key. */
  readonly latencies: readonly number[];
  /** Milliseconds that its event loop stood still at most. */
  readonly longest: number;
  /** Share of one processor, while keys are pressed. */
  readonly cpu: number;
}

/** Returns the name of the deployment at the cursor; its row changes by itself with each second of its age. */
function cursorName({ terminal }: Session): string | undefined {
  return terminal.rows.map((row) => /^>\S* +(\S+)/.exec(row)?.[1]).find(Boolean);
}

/** Presses keys in the list of all deployments and their details, on a screen of 200x50. */
export async function measureConsole(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  { deployments, seconds }: { readonly deployments: number; readonly seconds: number },
): Promise<ConsoleFigures> {
  const started = performance.now();
  await using watched = launchWatched(baseUrl, token);
  const { session } = watched;
  await session.waitFor(`1 Deployments ${deployments}`);
  const listed = session.arrival - started;
  session.press('1');
  await session.waitFor('[1 Deployments');
  const move = (key: string) => (): Step => {
    const name = cursorName(session);
    return { key, answered: (now) => cursorName(now) !== name };
  };
  // The newest deployment, the last one, is the one that is opened.
  session.press('g');
  await sleep(settleMs);
  const latencies: number[] = [];
  const pressOne = async (next: () => Step, count = 1): Promise<void> => {
    latencies.push(...(await press(session, next, count)));
  };
  const { longest, cpu } = await watched.during(async () => {
    for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
      await pressOne(move('j'), 10);
      await pressOne(move('pagedown'), 2);
      await pressOne(move('G'));
      await pressOne(move('g'));
      await pressOne(() => ({ key: 'd', answered: /Details/ }));
      session.press('escape');
      await session.waitFor('[1 Deployments');
      // An Esc that a key follows at once is that key with Alt.
      await sleep(100);
    }
  });
  return { listed, latencies, longest, cpu };
}

/** Says the figures in a line, without its end. */
export function describeConsole({ listed, latencies, longest, cpu }: ConsoleFigures): string {
  const [half, most] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
  return (
    `all listed after ${listed.toFixed(0)} ms; ${latencies.length} keys: median ${half.toFixed(1)} ms, ` +
    `p99 ${most.toFixed(1)} ms; ${(cpu * 100).toFixed(1)} % of a processor, longest stall ${longest.toFixed(0)} ms`
  );
}
