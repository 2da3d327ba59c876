import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Nodes } from '../../../../source/host/cluster/nodes.ts';
import { TaskReaders } from '../../../../source/host/cluster/tasks/task-readers.ts';
import { clusterLabels } from '../../../../source/host/cluster/cluster-labels.ts';
import { EngineError } from '../../../../source/host/engine/engine-error.ts';
import type { EngineTask } from '../../../../source/host/engine/swarm-api.ts';
import { outputText, type StoredCursor } from '../../../../source/host/logs/run.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { engineTask, twoNodes } from '../cluster-tasks.ts';

const labels = { [clusterLabels.deployment]: 'shop', [clusterLabels.service]: 'web' };
const running = engineTask(1, 'running', { labels, node: '2', id: 'abcdefghijklmnopqrstuvwxy' });
const record = { number: 7, services: [{ name: 'web', count: 2 }] };

/** A host's readers on a cluster that the test answers for. */
class Reading {
  readonly clock = new ManualClock();
  readonly events: string[] = [];
  /** Deployment, service and instance of each event. */
  readonly places: Omit<StoredCursor, 'at'>[] = [];
  /** Charges that have begun, and whether they have ended. */
  readonly charges: string[] = [];
  /** Output of all tasks. */
  output: readonly Buffer[] = [];
  /** True when the engine has no output of a task any more. */
  isForgotten = false;
  /** Starts of the charges, in ms since the epoch. */
  readonly starts: (number | undefined)[] = [];
  /** Charged runs that ended before they were seen, with their ms. */
  readonly unseen: (readonly [string, number])[] = [];
  readonly readers: TaskReaders;
  readonly cursors: Map<string, StoredCursor>;

  /** @param cursors what an earlier host has stored. */
  constructor(cursors = new Map<string, StoredCursor>()) {
    this.cursors = cursors;
    const stored = new Map(cursors);
    this.readers = new TaskReaders({
      clock: this.clock,
      orchestrator: {
        follow: async () => Readable.from(this.output),
        readRest: async () => {
          if (this.isForgotten) throw new EngineError('task not found', 404);
          return Readable.from(this.output);
        },
      },
      deployments: {
        getById: () => record as never,
        findByNumber: (number) => (number === record.number ? (record as never) : undefined),
      },
      logs: {
        cursor: (source) => stored.get(source)?.at,
        cursors: stored,
        forget: (sources) => {
          for (const source of sources) {
            this.cursors.delete(source);
            stored.delete(source);
          }
        },
        appendTimed: ({ number: deployment }, service, stream, lines, { source, instance }) => {
          this.cursors.set(source, { deployment, service, instance, at: lines.at(-1)?.at ?? '' });
          if (stream === 'system') {
            this.places.push({ deployment, service, instance });
            this.events.push(
              ...lines.map(({ line }) => (typeof line === 'string' ? line : outputText(line))),
            );
          }
          return undefined;
        },
      },
      metering: {
        together: (work) => {
          work();
        },
        begin: (_run, startedAt) => {
          const index = this.charges.push('open') - 1;
          this.starts.push(startedAt);
          return () => {
            this.charges[index] = 'ended';
          };
        },
        chargeEnded: ({ id }, startedAt, endedAt) => {
          this.unseen.push([id, endedAt - startedAt]);
        },
      },
      chargedUntil,
    });
  }

  observe(nodes: Nodes, ...tasks: readonly EngineTask[]): void {
    this.readers.observe({ services: [], tasks, nodes });
  }
}

/** Returns a frame of the standard output of a task. */
function frameOf(text: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt8(1, 0);
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** Time until which an earlier host was charged. */
const chargedUntil = Date.UTC(2026, 2, 2);

let reading = new Reading();
afterEach(() => {
  reading.readers.stop();
  reading = new Reading();
});

const started = 'started on bed (10.0.0.2)';
const lost = 'node bed (10.0.0.2) is lost; of task abcdefghijkl, no line was read';

test('a task of a lost node is charged until the loss, and one line names it', () => {
  reading.observe(twoNodes(), running);
  expect(reading.charges).toEqual(['open']);
  const replaced = { ...running, desired: 'shutdown' };
  const next = engineTask(9, 'running', { labels });
  reading.observe(twoNodes('2'), replaced);
  reading.observe(twoNodes('2'), replaced, next);
  expect(reading.charges).toEqual(['ended', 'open']);
  expect(reading.events).toEqual([started, lost, 'started on bed (10.0.0.1)']);
});

test('the loss of a node is logged, also when its task was replaced before the host looked', () => {
  reading.observe(twoNodes(), running);
  const next = engineTask(9, 'running', { labels });
  reading.observe(twoNodes('2'), { ...running, desired: 'shutdown' }, next);
  expect(reading.charges).toEqual(['ended', 'open']);
  expect(reading.events).toEqual([started, lost, 'started on bed (10.0.0.1)']);
});

test('a task that was replaced is not charged when its node is back, and stops', async () => {
  reading.observe(twoNodes(), running);
  reading.observe(twoNodes('2'), running);
  reading.observe(twoNodes(), { ...running, desired: 'shutdown' });
  expect(reading.charges).toEqual(['ended']);
  reading.observe(twoNodes(), { ...running, desired: 'shutdown', state: 'shutdown' });
  await reading.readers.finish(new Set(['s']));
  await new Promise((resolve) => setImmediate(resolve));
  expect(reading.events).toEqual([started, lost, 'node bed (10.0.0.2) is back', 'stopped']);
});

test('a task that goes on is charged again when its node is back', () => {
  reading.observe(twoNodes(), running);
  reading.observe(twoNodes('2'), running);
  reading.observe(twoNodes(), running);
  expect(reading.charges).toEqual(['ended', 'open']);
});

test('another host repeats no loss, and charges none', () => {
  reading.observe(twoNodes(), running);
  reading.observe(twoNodes('2'), running);
  const next = new Reading(reading.cursors);
  next.observe(twoNodes('2'), running);
  expect(next.events).toEqual([]);
  expect(next.charges).toEqual([]);
  next.observe(twoNodes(), running);
  expect(next.events).toEqual(['node bed (10.0.0.2) is back']);
  next.readers.stop();
});

test('a run is charged from its start, and one of an earlier host from where that was charged', () => {
  reading.observe(twoNodes(), running);
  expect(reading.starts).toEqual([Date.parse(running.at)]);
  const next = new Reading(reading.cursors);
  next.observe(twoNodes(), running);
  expect(next.starts).toEqual([chargedUntil]);
  next.readers.stop();
});

test('a run that no host saw is charged from its first line to its end, with one id', async () => {
  const ended = engineTask(9, 'failed', { labels, exitCode: 1 });
  const ranFrom = new Date(Date.parse(ended.at) - 4000).toISOString();
  // The engine writes nanoseconds.
  reading.output = [frameOf(`${ranFrom.replace('Z', '000000Z')} first\n`)];
  reading.observe(twoNodes(), ended);
  await reading.readers.finish(new Set(['s']));
  await new Promise((resolve) => setImmediate(resolve));
  expect(reading.unseen).toEqual([['task9.unseen', 4000]]);
  expect(reading.charges).toEqual([]);
});

test('a task that the engine has forgotten has an end line, with what may be missing', async () => {
  reading.observe(twoNodes(), running);
  reading.isForgotten = true;
  reading.observe(twoNodes());
  reading.observe(twoNodes());
  await vi.waitFor(() => {
    expect(reading.events).toEqual([
      started,
      'of task abcdefghijkl, no line was read: the engine has forgotten it',
      'ended, exit code unknown',
    ]);
  });
  expect(reading.charges).toEqual(['ended']);
});

describe('a task that the engine has forgotten while no host ran', () => {
  const lastLine = '2026-03-01T00:00:05.000000007Z';
  const ended =
    "ended, exit code unknown: the engine had forgotten it at the host's start; " +
    `of task abcdefghijkl, lines after ${lastLine} may be missing`;

  /** Resolves with what a host has stored that has read one line of a task. */
  async function readOnce(): Promise<Map<string, StoredCursor>> {
    reading.output = [frameOf(`${lastLine} last words\n`)];
    reading.observe(twoNodes(), running);
    await vi.waitFor(
      () => {
        reading.clock.advance(100);
        expect(reading.cursors.get(`${running.id}/stdout`)?.at).toBe(lastLine);
      },
      { interval: 1 },
    );
    return reading.cursors;
  }

  function adopt(stored: Map<string, StoredCursor>): Reading {
    const next = new Reading(stored);
    next.observe(twoNodes(), engineTask(9, 'running', { labels }));
    next.observe(twoNodes(), engineTask(9, 'running', { labels }));
    next.readers.stop();
    return next;
  }

  test('has one end line, which names its last line that was read', async () => {
    const stored = await readOnce();
    const next = adopt(stored);
    expect(next.events).toEqual(['started on bed (10.0.0.1)', ended]);
    expect(next.places[1]).toEqual({ deployment: 7, service: 'web', instance: 1 });
    expect([...stored.keys()]).toEqual(['task9/start']);
    expect(adopt(stored).events).toEqual([]);
  });

  test('has no other end line after a kill behind the first', async () => {
    const stored = await readOnce();
    const place = { deployment: 7, service: 'web', instance: 1, at: lastLine };
    stored.set(`${running.id}/end`, place);
    expect(adopt(stored).events).toEqual(['started on bed (10.0.0.1)']);
    expect([...stored.keys()]).toEqual(['task9/start']);
  });

  test.each([
    ['whose deployment is archived', { deployment: 8, service: 'web' }],
    ['whose service no earlier version has stored', { deployment: 7, service: undefined }],
  ])('has no line when it is one %s', async (_, place) => {
    const at = running.at;
    const stored = new Map([[`${running.id}/start`, { ...place, instance: undefined, at }]]);
    expect(adopt(stored).events).toEqual(['started on bed (10.0.0.1)']);
    expect([...stored.keys()]).toEqual(['task9/start']);
  });
});

test('a task that the engine forgets while its end is read keeps its exit code', async () => {
  reading.observe(twoNodes(), running);
  reading.observe(twoNodes(), { ...running, desired: 'shutdown', state: 'failed', exitCode: 7 });
  reading.observe(twoNodes());
  await vi.waitFor(() => {
    expect(reading.events).toEqual([started, 'exited 7']);
  });
});

test('nothing is stored of tasks that have ended and that the engine has forgotten', async () => {
  const taskAt = (second: number, state: string) =>
    engineTask(second, state, { labels, exitCode: state === 'failed' ? 1 : undefined });
  for (let second = 1; second < 20; second += 1) {
    reading.observe(twoNodes(), taskAt(second, 'failed'), taskAt(second + 1, 'running'));
    await vi.waitFor(
      () => {
        reading.clock.advance(100);
        expect(reading.events.at(-1)).toBe('exited 1');
      },
      { interval: 1 },
    );
  }
  const tasks = new Set([...reading.cursors.keys()].map((source) => source.split('/')[0]));
  expect([...tasks]).toEqual(['task19', 'task20']);
  const next = new Reading(reading.cursors);
  next.observe(twoNodes(), taskAt(20, 'running'));
  expect([...next.cursors.keys()]).toEqual(['task20/start']);
  next.readers.stop();
});

test('a snapshot that comes after the stop begins nothing', () => {
  reading.readers.stop();
  reading.observe(twoNodes('ready', 'ready'), running);
  expect(reading.charges).toEqual([]);
  expect(reading.events).toEqual([]);
});
