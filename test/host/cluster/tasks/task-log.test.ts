import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { FollowQueue } from '../../../../source/host/cluster/tasks/follow-queue.ts';
import { TaskLog } from '../../../../source/host/cluster/tasks/task-log.ts';
import { EngineError } from '../../../../source/host/engine/engine-error.ts';
import { outputText } from '../../../../source/host/logs/run.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const timeOf = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000000000Z`;

function frame(second: number, text: string): Buffer {
  const body = Buffer.from(`${timeOf(second)} ${text}`);
  const header = Buffer.alloc(8);
  header[0] = 1;
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A task whose follows the test answers. */
class FollowedTask {
  readonly clock = new ManualClock();
  readonly queue = new FollowQueue(this.clock);
  /** Number of answers of the engine to others. */
  answers = 0;
  readonly follows: {
    readonly kind: 'follow' | 'rest';
    readonly since: string | undefined;
    readonly body: PassThrough;
  }[] = [];
  readonly lines: string[] = [];
  failure: Error | undefined;
  /** Reads that have failed. */
  failures = 0;
  readonly log = new TaskLog({
    clock: this.clock,
    queue: this.queue,
    engineAnswers: () => this.answers,
    stored: {},
    open: async (...call) => this.#open('follow', ...call),
    openRest: async (...call) => this.#open('rest', ...call),
    onLines: (_, lines) => {
      this.lines.push(...lines.map(({ line }) => outputText(line)));
      return undefined;
    },
  });

  #open(kind: 'follow' | 'rest', since: string | undefined, signal: AbortSignal): PassThrough {
    if (this.failure !== undefined) {
      this.failures += 1;
      throw this.failure;
    }
    const body = new PassThrough();
    signal.addEventListener('abort', () => body.destroy(new Error('aborted')));
    this.follows.push({ kind, since, body });
    return body;
  }

  /** Ends the newest follow, as an engine does after the last line of what is not followed. */
  async end(): Promise<void> {
    this.follows.at(-1)?.body.end();
    await turn();
    await turn();
  }

  /** Sends frames on the newest follow. */
  async send(...frames: readonly Buffer[]): Promise<void> {
    await turn();
    for (const each of frames) this.follows.at(-1)?.body.write(each);
    await turn();
    await turn();
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await turn();
    await turn();
  }
}

describe('the log of a task', () => {
  let task = new FollowedTask();
  afterEach(() => {
    task.log.stop();
    task = new FollowedTask();
  });

  test('opens a follow again that a cut link left silent, and repeats no line', async () => {
    await task.send(frame(1, 'one\n'), frame(2, 'two\n'));
    await task.pass(15_000);
    await task.pass(1000);
    expect(task.follows).toHaveLength(2);
    expect(task.follows[1]?.since).toBe(`${Date.parse(timeOf(1)) / 1000}.000000000`);
    await task.send(frame(1, 'one\n'), frame(2, 'two\n'), frame(3, 'three\n'));
    expect(task.lines).toEqual(['one', 'two', 'three']);
  });

  test('waits longer each time for a task that is silent itself, up to a minute', async () => {
    const pauses: number[] = [];
    for (let passed = 0; pauses.length < 4; passed += 1000) {
      await task.pass(1000);
      if (task.follows.length === pauses.length + 2) pauses.push(passed + 1000);
    }
    expect(pauses).toEqual([15_000, 45_000, 105_000, 165_000]);
  });

  test('reads the rest of a task that has ended up to its end, however slow the engine is', async () => {
    await task.send(frame(1, 'one\n'));
    await task.pass(50);
    const finished = task.log.finish();
    await task.send(frame(1, 'one\n'), frame(2, 'two\n'));
    await task.pass(10_000);
    await task.send(frame(3, 'last words'));
    await task.pass(10_000);
    await task.end();
    expect(await finished).toBeUndefined();
    expect(task.follows.map(({ kind }) => kind)).toEqual(['follow', 'rest']);
    expect(task.lines).toEqual(['one', 'two', 'last words']);
  });

  test('reads the rest of a task again when its engine falls silent, and then says so', async () => {
    await task.send(frame(1, 'one\n'));
    await task.pass(50);
    const finished = task.log.finish();
    for (let minute = 0; minute < 10; minute += 1) {
      task.answers += 1;
      await task.send(frame(1, 'one\n'));
      await task.pass(15_000);
      await task.pass(60_000);
    }
    expect(await finished).toBe('the engine fell silent');
    expect(task.lines).toEqual(['one']);
  });

  test('reads nothing of a lost node, and goes on after its last line when the node is back', async () => {
    await task.send(frame(1, 'one\n'), frame(2, 'unfini'));
    task.log.suspend();
    await task.pass(120_000);
    expect(task.follows).toHaveLength(1);
    expect(task.log.lastRead).toBe(timeOf(1));
    task.log.resume();
    await task.send(frame(1, 'one\n'), frame(2, 'unfinished\n'), frame(3, 'three\n'));
    expect(task.lines).toEqual(['one', 'unfinished', 'three']);
  });

  test('of a lost node ends without a read', async () => {
    await task.send(frame(1, 'one\n'), frame(2, 'unfini'));
    task.log.suspend();
    expect(await task.log.finish()).toBeUndefined();
    expect(task.follows).toHaveLength(1);
    expect(task.lines).toEqual(['one', 'unfini']);
  });

  test('tries again while the engine fails, and says when it has forgotten the task', async () => {
    task.failure = new EngineError('node is not available', 500);
    await task.send();
    const finished = task.log.finish();
    await task.pass(1000);
    task.failure = undefined;
    await task.pass(1000);
    await task.send(frame(1, 'late\n'));
    task.failure = new EngineError('task not found', 404);
    task.follows.at(-1)?.body.destroy(new Error('broken'));
    for (let second = 0; second < 5; second += 1) await task.pass(1000);
    expect(await finished).toBe('the engine has forgotten it');
    expect(task.lines).toEqual(['late']);
  });

  test('reads a silent follow until the queue of all lets it open another one', async () => {
    await task.send(frame(1, 'one\n'));
    for (let other = 0; other < 10; other += 1) task.queue.request('silent', () => undefined);
    await task.pass(16_000);
    expect(task.follows).toHaveLength(1);
    await task.send(frame(17, 'late\n'));
    expect(task.lines).toEqual(['one', 'late']);
    await task.pass(14_000);
    // It was not silent, so it waits no more.
    expect(task.follows).toHaveLength(1);
    await task.pass(2000);
    expect(task.follows).toHaveLength(2);
    await task.send(frame(17, 'late\n'), frame(18, 'later\n'));
    expect(task.lines).toEqual(['one', 'late', 'later']);
  });

  test('opens a follow again that its node has left behind, before silent ones', async () => {
    await task.send(frame(1, 'one\n'));
    for (let other = 0; other < 10; other += 1) task.queue.request('silent', () => undefined);
    await task.pass(1000);
    task.log.reopen();
    await task.send(frame(1, 'one\n'), frame(2, 'two\n'));
    expect(task.follows).toHaveLength(2);
    expect(task.lines).toEqual(['one', 'two']);
  });

  test('opens again at once, at the end of the task, what was silent and waits', async () => {
    for (let other = 0; other < 600; other += 1) task.queue.request('silent', () => undefined);
    await task.pass(60_000);
    const finished = task.log.finish();
    await task.pass(50);
    await task.send(frame(2, 'last words\n'));
    await task.end();
    await finished;
    expect(task.follows).toHaveLength(2);
    expect(task.lines).toEqual(['last words']);
  });

  test('tries less and less often to read the end of a task, and then says why it gave up', async () => {
    const opened = await failingEnd(() => {
      task.answers += 1;
    });
    expect(opened).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  });

  test('never gives up while the engine answers nobody', async () => {
    const opened = await failingEnd(() => undefined);
    expect(opened.length).toBeGreaterThan(20);
    task.log.stop();
  });

  /** Lets the engine fail after the end of a task; resolves with the seconds of all reads. */
  async function failingEnd(eachSecond: () => void): Promise<readonly number[]> {
    await task.send(frame(1, 'one\n'));
    await task.pass(1000);
    task.failure = new EngineError('no such container', 500);
    const over = new AbortController();
    const finished = task.log.finish().finally(() => {
      over.abort();
    });
    const seconds: number[] = [];
    for (let second = 0; second < 1200 && !over.signal.aborted; second += 1) {
      eachSecond();
      await turn();
      const { failures } = task;
      seconds.push(...Array.from({ length: failures }, () => second));
      task.failures = 0;
      await task.pass(1000);
    }
    expect(over.signal.aborted).toBe(task.answers > 0);
    if (over.signal.aborted) expect(await finished).toBe('no such container');
    return seconds;
  }
});
