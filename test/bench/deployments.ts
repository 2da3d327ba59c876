import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../e2e/harness.ts';
import { foreignDefaults } from '../servers/foreign/options.ts';
import { FrameWatch } from './frames.ts';
import { typeIntoPalette } from './palette-keys.ts';
import { percentile } from './key-latency.ts';
import { moves, press, startServer } from './list-keys.ts';
import type { Row } from './measure.ts';
import type { Stalls } from './stall-watch.ts';
import { launchWatched } from './watched-console.ts';

const frame = 1000 / 60;
const longestStall = 50;
/** Milliseconds in which each list is refreshed several times. */
const refreshes = 16_000;
/** Milliseconds in which keys are pressed: enough of them for a 99th percentile. */
const pressing = 40_000;

/** The answers of the service: always the same list, or one of which every record changed. */
type Answers = 'same' | 'changed';

interface LongList {
  readonly noun: 'deployments' | 'grants';
  /** The key that goes there. */
  readonly pane: string;
  readonly title: string;
  /** The text that is typed into the filter, letter by letter. */
  readonly filter: string;
  /** The orders that `o` selects, press by press. */
  readonly orders: readonly string[];
}

const lists: readonly LongList[] = [
  {
    noun: 'deployments',
    pane: '1',
    title: '1 Deployments',
    filter: 'shop-12',
    orders: ['by name', 'by age', 'by restarts', 'by cost', 'by service', ''],
  },
  {
    noun: 'grants',
    pane: '3',
    title: '3 Grants',
    filter: 'ner0012',
    orders: ['by party', 'by state', 'by spent', 'by time left', ''],
  },
];

/** Keys in lists of 10,000, against one frame, and what a refresh of them costs. */
export async function longLists(): Promise<readonly Row[]> {
  return [...(await listsOf('same')), ...(await listsOf('changed'))];
}

async function listsOf(answers: Answers): Promise<readonly Row[]> {
  await using server = await startServer('deployments-server.ts', answers);
  await using watched = launchWatched(server.baseUrl, foreignDefaults.token);
  const { session } = watched;
  const frames = new FrameWatch(session);
  await session.waitFor(/1 Deployments 10,000/);
  await session.waitFor(/3 Grants 10,000/);
  const rows: Row[] = [];
  for (const list of lists) {
    session.press(list.pane);
    await session.waitFor(`[${list.title}`);
    await sleep(2500);
    if (answers === 'same') rows.push(await unchangedRefresh(session, frames, list));
    rows.push(
      stallRow(list, answers, 'listed again', await watched.during(() => sleep(refreshes))),
    );
    let latencies: ReadonlyMap<string, readonly number[]> = new Map();
    const keys = await watched.during(async () => {
      latencies = await pressAll(session, list);
    });
    rows.push(stallRow(list, answers, 'keys', keys), latencyRow(list, answers, latencies));
    if (list.noun === 'deployments') {
      let letters: readonly number[] = [];
      const palette = await watched.during(async () => {
        letters = await typeIntoPalette(session, 3);
      });
      const typed = new Map([['letter', letters]]);
      rows.push(stallRow(list, answers, 'palette', palette), latencyRow(list, answers, typed));
    }
  }
  return rows;
}

/** All keys of a list, again and again. */
async function pressAll(
  session: Session,
  list: LongList,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const latencies = new Map<string, number[]>();
  const note = (kind: string, times: readonly number[]): void => {
    latencies.set(kind, [...(latencies.get(kind) ?? []), ...times]);
  };
  const titled = (end: string) => (now: Session) => {
    const title = now.screen.split(`[${list.title} `)[1]?.split(']')[0];
    return title !== undefined && (end === '' ? !title.includes(' ') : title.endsWith(end));
  };
  const end = performance.now() + pressing;
  for (let first = true; first || performance.now() < end; first = false) {
    note('cursor', await press(session, () => moves(session, 'j'), 10));
    note('page', await press(session, () => moves(session, 'pagedown'), 5));
    note('last', await press(session, () => moves(session, 'G'), 1));
    note('first', await press(session, () => moves(session, 'g'), 1));
    for (const order of list.orders) {
      note('order', await press(session, () => ({ key: 'o', answered: titled(order) }), 1));
    }
    session.press('/');
    await session.waitFor(/^\/ *$/m);
    let typed = '';
    const type = () => {
      typed += list.filter[typed.length] ?? '';
      return { key: typed.at(-1) ?? '', answered: titled(` /${typed}`) };
    };
    note('filter', await press(session, type, list.filter.length));
    session.press('escape');
    await session.waitFor(titled(''));
    // An Esc that a key follows at once is that key with Alt.
    await sleep(100);
  }
  return latencies;
}

/** F5 where everything stays as it is: nothing is to be written but the log's rate and histogram. */
async function unchangedRefresh(
  session: Session,
  frames: FrameWatch,
  list: LongList,
): Promise<Row> {
  let most = 0;
  await frames.sample(2500);
  for (let time = 0; time < 3; time += 1) {
    session.press('f5');
    const sample = await frames.sample(2500);
    const written = sample.frames.reduce((sum, { bytes }) => sum + bytes, 0);
    most = Math.max(most, written);
  }
  return {
    what: `bytes: unchanged refresh of 10,000 ${list.noun}, the most of 3`,
    ours: `${most} B`,
    reference: 'nothing: 0 B',
    goal: { at: 0, value: most, unit: 'B' },
  };
}

const answered: Readonly<Record<Answers, string>> = {
  same: 'nothing changed',
  changed: 'every record changed',
};

function stallRow({ noun }: LongList, answers: Answers, what: string, stalls: Stalls): Row {
  const { longest, cpu } = stalls;
  return {
    what: `longest stall of the event loop, 10,000 ${noun}, ${what}; ${answered[answers]} (${(cpu * 100).toFixed(0)} % of a processor)`,
    ours: `${longest.toFixed(1)} ms`,
    reference: `${longestStall} ms`,
    ratio: longest / longestStall,
    goal: 1,
  };
}

function latencyRow(
  { noun }: LongList,
  answers: Answers,
  latencies: ReadonlyMap<string, readonly number[]>,
): Row {
  const all = [...latencies.values()].flat();
  const kinds = [...latencies].map(([kind, times]) => `${kind} ${percentile(times, 1).toFixed(0)}`);
  const p99 = percentile(all, 0.99);
  return {
    what: `key to changed screen, p99 of ${all.length}, 10,000 ${noun}, 200x50; ${answered[answers]} (at most, ms: ${kinds.join(', ')})`,
    ours: `${p99.toFixed(1)} ms`,
    reference: 'a frame at 60 Hz: 16.7 ms',
    ratio: p99 / frame,
    goal: 1,
  };
}
