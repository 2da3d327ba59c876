import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../e2e/harness.ts';
import { foreignDefaults } from '../servers/foreign/options.ts';
import { percentile } from './key-latency.ts';
import { moves, press, startServer, type Step } from './list-keys.ts';
import type { Row } from './measure.ts';
import type { Stalls } from './stall-watch.ts';
import { launchWatched } from './watched-console.ts';

const frame = 1000 / 60;
const longestStall = 50;
/** Milliseconds in which two refreshes happen. */
const refreshes = 21_000;

/** The lists of the service: the same each time, or all files changed. */
type Listed = 'paths' | 'records';

function filters(typed: string): Step {
  return {
    key: typed.at(-1) ?? '',
    answered: ({ screen }) => new RegExp(`2 Files .* /${typed}(?![\\w-])`).test(screen),
  };
}

/** All keys of the tree, again and again. */
async function pressAll(session: Session): Promise<ReadonlyMap<string, readonly number[]>> {
  const latencies = new Map<string, number[]>();
  const note = (kind: string, times: readonly number[]): void => {
    latencies.set(kind, [...(latencies.get(kind) ?? []), ...times]);
  };
  const begun = performance.now();
  const end = begun + refreshes;
  for (let first = true; first || performance.now() < end; first = false) {
    session.press('g');
    await session.waitFor(/^> .*data\//m);
    // The folder of half the files, unfolded, paged through, and folded again.
    note('unfold', await press(session, () => ({ key: 'enter', answered: /^> .*- data\//m }), 1));
    note('cursor', await press(session, () => moves(session, 'j'), 10));
    note('page', await press(session, () => moves(session, 'pagedown'), 5));
    note('mark', await press(session, () => moves(session, 'space'), 5));
    session.press('escape');
    // An Esc that a key follows at once is that key with Alt.
    await session.waitFor(({ terminal }) => !terminal.rows.some((row) => /^[ >]\*/.test(row)));
    session.press('g');
    await session.waitFor(/^> .*data\//m);
    note('fold', await press(session, () => ({ key: 'enter', answered: /^> .*\+ data\//m }), 1));
    session.press('/');
    await session.waitFor(/^\/ *$/m);
    let typed = '';
    note(
      'filter',
      await press(
        session,
        () => {
          typed += 'file-123'[typed.length] ?? '';
          return filters(typed);
        },
        8,
      ),
    );
    session.press('escape');
    await session.waitFor(/^> .*data\//m);
  }
  return latencies;
}

/** Keys in a tree of 50,000 files while it is listed again and again, against one frame. */
export async function largeTree(): Promise<readonly Row[]> {
  return [...(await treeOf('paths')), ...(await treeOf('records'))];
}

async function treeOf(listed: Listed): Promise<readonly Row[]> {
  await using server = await startServer('tree-server.ts', listed);
  await using watched = launchWatched(server.baseUrl, foreignDefaults.token);
  const { session } = watched;
  await session.waitFor('README.md');
  await sleep(1000);
  const first = await watched.during(async () => {
    session.press('2', 's');
    await session.waitFor('worker');
    session.type('worker\r');
    await session.waitFor(/2 Files .*50,001/);
    await sleep(300);
  });
  const idle = await watched.during(() => sleep(refreshes));
  let latencies: ReadonlyMap<string, readonly number[]> = new Map();
  const keys = await watched.during(async () => {
    latencies = await pressAll(session);
  });
  const of = listed === 'paths' ? 'nothing changed' : 'every file changed';
  const all = [...latencies.values()].flat();
  const kinds = [...latencies].map(([kind, times]) => `${kind} ${percentile(times, 1).toFixed(0)}`);
  const p99 = percentile(all, 0.99);
  const stall = (what: string, { longest }: Stalls): Row => ({
    what: `longest stall of the event loop, 50,000 files, ${what}; ${of}`,
    ours: `${longest.toFixed(1)} ms`,
    reference: `${longestStall} ms`,
    ratio: longest / longestStall,
    goal: 1,
  });
  return [
    stall('first listed', first),
    stall('listed again', idle),
    stall('keys', keys),
    {
      what: `key to changed screen, p99 of ${all.length}, tree of 50,000 files, 200x50; ${of} (at most, ms: ${kinds.join(', ')})`,
      ours: `${p99.toFixed(1)} ms`,
      reference: 'a frame at 60 Hz: 16.7 ms',
      ratio: p99 / frame,
      goal: 1,
    },
  ];
}
