import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Condition, launch, type Session } from '../e2e/harness.ts';
import { foreignDefaults } from '../servers/foreign/options.ts';
import { percentile } from './key-latency.ts';
import type { Row } from './measure.ts';
import type { Stalls } from './stall-watch.ts';

const frame = 1000 / 60;
const longestStall = 50;
/** Milliseconds in which two refreshes happen. */
const refreshes = 21_000;

/** How the service lists its files: the same each time, or all of them changed. */
type Listed = 'paths' | 'records';

/** A key, and how the screen looks once it was answered. */
interface Step {
  readonly key: string;
  readonly answered: Condition;
}

async function startTreeServer(
  listed: Listed,
): Promise<AsyncDisposable & { readonly baseUrl: string }> {
  const script = path.resolve(import.meta.dirname, 'tree-server.ts');
  const child = spawn(process.execPath, [script, listed], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    baseUrl: String((await said.next()).value),
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** What the event loop of the session did during `work`. */
async function watched(
  session: Session,
  file: string,
  work: () => Promise<unknown>,
): Promise<Stalls> {
  session.kill('SIGUSR2');
  await work();
  session.kill('SIGUSR2');
  while (!existsSync(file)) await sleep(20);
  await sleep(20);
  const stalls = JSON.parse(readFileSync(file, 'utf8')) as Stalls;
  rmSync(file);
  return stalls;
}

const cursorRow = ({ terminal }: Session): string =>
  terminal.rows
    .map((row) => /^>[^│|]*/.exec(row)?.[0] ?? '')
    .join('')
    .trim();
const cursorAt = ({ terminal }: Session): number =>
  terminal.rows.findIndex((row) => row.startsWith('>'));

function moves(session: Session, key: string): Step {
  const row = cursorRow(session);
  const at = cursorAt(session);
  return { key, answered: (now) => cursorRow(now) !== row || cursorAt(now) !== at };
}

function filters(typed: string): Step {
  return {
    key: typed.at(-1) ?? '',
    answered: ({ screen }) => new RegExp(`2 Files .* /${typed}(?![\\w-])`).test(screen),
  };
}

/** Presses one key after the other at a person's pace; gives the milliseconds to each answer. */
async function press(session: Session, next: () => Step, count: number): Promise<number[]> {
  const latencies: number[] = [];
  for (let pressed = 0; pressed < count; pressed += 1) {
    await sleep(60 + Math.random() * 80);
    const { key, answered } = next();
    const begun = performance.now();
    session.press(key);
    await session.waitFor(answered);
    latencies.push(session.arrival - begun);
  }
  return latencies;
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
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-bench-'));
  const file = path.join(folder, 'stalls.json');
  const watch = path.resolve(import.meta.dirname, 'stall-watch.ts');
  await using server = await startTreeServer(listed);
  await using session = launch({
    env: {
      HOSTDECK_BASE_URL: server.baseUrl,
      HOSTDECK_TOKEN: foreignDefaults.token,
      HOSTDECK_BENCH_STALLS: file,
      NODE_OPTIONS: `--import=${watch}`,
    },
    cols: 200,
    rows: 50,
  });
  await session.waitFor('README.md');
  await sleep(1000);
  const first = await watched(session, file, async () => {
    session.press('2', 's');
    await session.waitFor('worker');
    session.type('worker\r');
    await session.waitFor(/2 Files .*50,001/);
    await sleep(300);
  });
  const idle = await watched(session, file, () => sleep(refreshes));
  let latencies: ReadonlyMap<string, readonly number[]> = new Map();
  const keys = await watched(session, file, async () => {
    latencies = await pressAll(session);
  });
  rmSync(folder, { recursive: true });
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
