import { afterEach, describe, expect, it } from 'vitest';
import {
  createJoinedLogs,
  type JoinedLogs,
  type JoinedLogsOptions,
} from '../../../../source/store/log/feed/joined.ts';
import type { InsertedRun } from '../../../../source/tail/arena/entries.ts';
import { createTestClock, settled } from '../../../support/clock.ts';
import { clientOf, failure, LogModel } from '../../../servers/log-model.ts';

const running: JoinedLogs[] = [];

afterEach(() => {
  for (const logs of running.splice(0)) logs.stop();
});

/** Joins the logs of several deployments. */
function join(models: Readonly<Record<string, LogModel>>, more: Partial<JoinedLogsOptions> = {}) {
  const clock = createTestClock();
  const logs = createJoinedLogs({
    client: clientOf(models),
    deploymentIds: Object.keys(models),
    clock,
    random: () => 0,
    ...more,
  });
  running.push(logs);
  return { logs, clock };
}

const began = Date.UTC(2026, 0, 1);

/** Writes a line with the time of a given second. */
function write(model: LogModel, second: number, logLine: string): void {
  model.write({ logLine, timestamp: new Date(began + second * 1000).toISOString() });
}

/** Returns the texts of the lines and the states of the gaps. */
function shown({ entries }: JoinedLogs): readonly string[] {
  return entries
    .slice(0, entries.length)
    .map((entry) =>
      entry.kind === 'line' ? entry.line.logLine : `${entry.state.kind} ${entry.member}`,
    );
}

describe('joined logs', () => {
  it('shows the lines of a time for which memory drops others, each once and in order', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    for (let second = 0; second < 6000; second += 1) {
      write(a, second, `a${second}`);
      if (second % 2 === 0) write(b, second, `b${second}`);
    }
    const { logs, clock } = join({ a, b }, { maxLines: 4000, initialLines: 1900 });
    await clock.advance(1000);
    const read = async () => {
      const results = await logs.readTime({
        time: began + 1_000_000,
        signal: new AbortController().signal,
        onProgress() {},
      });
      return { ends: results.map(({ end }) => end), shown: shown(logs) };
    };
    const reading = read();
    await clock.advance(1000);
    expect(await reading).toEqual({ ends: ['found', 'found'], shown: shown(logs) });
    const lines = shown(logs).filter((text) => !text.startsWith('missing'));
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toContain('a1000');
    expect(lines).toContain('b1000');
    const seconds = lines.map((text) => Number(text.slice(1)));
    expect(seconds).toEqual(seconds.toSorted((left, right) => left - right));
  });

  it('reads on through a gap in the log that has it, and through no other', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    for (let second = 0; second < 6000; second += 1) {
      write(a, second, `a${second}`);
      write(b, second, `b${second}`);
    }
    const { logs, clock } = join({ a, b }, { maxLines: 4000, initialLines: 1900 });
    await clock.advance(1000);
    const { signal } = new AbortController();
    const jump = logs.readTime({ time: began + 1_000_000, signal, onProgress() {} });
    await clock.advance(1000);
    await jump;
    const gap = logs.entries.gaps.find(({ member }) => member === 1);
    const walk = logs.walk({ key: 'error', side: 'older', gap });
    const page = await walk?.next(signal);
    expect(page?.ok && page.rows.at(-1)?.line.logLine).toMatch(/^b\d+$/);
    expect(logs.walk({ key: 'error', side: 'older', gap: gap && { ...gap, member: 2 } })).toBe(
      undefined,
    );
  });

  it('orders history and live lines by time', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    for (const second of [1, 3, 5]) write(a, second, `a${second}`);
    for (const second of [2, 4, 6]) write(b, second, `b${second}`);
    const { logs, clock } = join({ a, b });
    await clock.advance(100);
    write(b, 8, 'b8');
    write(a, 7, 'a7');
    await clock.advance(100);
    expect(shown(logs)).toEqual(['a1', 'b2', 'a3', 'b4', 'a5', 'b6', 'a7', 'b8']);
    expect(logs.entries.slice(0, 2).map(({ member }) => member)).toEqual([0, 1]);
  });

  it('orders lines of one millisecond by what their times have below it', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    const writeAt = (model: LogModel, digits: string): void =>
      model.write({ logLine: digits, timestamp: `2026-01-01T00:00:01.5${digits}Z` });
    for (const digits of ['00001', '00003', '000041']) writeAt(a, digits);
    for (const digits of ['00002', '000035', '000042']) writeAt(b, digits);
    const { logs, clock } = join({ a, b });
    await clock.advance(100);
    expect(shown(logs)).toEqual(['00001', '00002', '00003', '000035', '000041', '000042']);
  });

  it('shows live lines at once while another member has not answered yet', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    b.streamFails = failure('disconnected');
    b.httpFails = failure('disconnected');
    write(b, 1, 'b1');
    const { logs, clock } = join({ a, b });
    await clock.advance(100);
    write(a, 2, 'a2');
    await settled();
    expect(shown(logs)).toEqual(['a2']);
    b.streamFails = undefined;
    b.httpFails = undefined;
    await clock.advance(20_000);
    expect(shown(logs)).toEqual(['b1', 'a2']);
  });

  it('keeps the gap of a member in place and names the member', async () => {
    const [a, b] = [new LogModel(), new LogModel({ retention: 3 })];
    write(a, 1, 'a1');
    write(b, 2, 'b2');
    const { logs, clock } = join({ a, b });
    await clock.advance(100);
    b.cut();
    for (const second of [3, 4, 5, 6, 7]) write(b, second, `b${second}`);
    write(a, 4, 'a4');
    await clock.advance(1000);
    write(a, 8, 'a8');
    await settled();
    expect(shown(logs)).toEqual(['a1', 'b2', 'a4', 'missing 1', 'b5', 'b6', 'b7', 'a8']);
    expect(logs.entries.gaps).toMatchObject([{ member: 1 }]);
  });

  it('continues without a lost member and inserts its lines when it is back', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    const { logs, clock } = join({ a, b });
    await clock.advance(100);
    write(b, 1, 'b1');
    b.cut();
    b.streamFails = failure('disconnected');
    b.httpFails = failure('disconnected');
    write(b, 2, 'b2');
    write(a, 3, 'a3');
    await clock.advance(1000);
    expect(shown(logs)).toEqual(['b1', 'a3']);
    expect(logs.state.getState().connection.kind).toBe('retrying');
    expect(logs.worstMember()?.deploymentId).toBe('b');
    b.streamFails = undefined;
    b.httpFails = undefined;
    logs.reconnect();
    await clock.advance(1000);
    expect(shown(logs)).toEqual(['b1', 'b2', 'a3']);
    expect(logs.state.getState().connection.kind).toBe('live');
  });

  it('begins where all members have lines, and loads older lines together', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    for (let second = 0; second < 300; second += 1) write(a, second * 10, `a${second * 10}`);
    for (let second = 2000; second < 3000; second += 1) write(b, second, `b${second}`);
    const { logs, clock } = join({ a, b }, { initialLines: 100 });
    await clock.advance(100);
    // b has lines before 2900 that are not loaded yet.
    expect(shown(logs).slice(0, 3)).toEqual(['a2900', 'b2900', 'b2901']);
    expect(logs.state.getState().older).toBe('more');
    expect(logs.olderWanted(200)).toBe(true);
    await clock.advance(100);
    expect(shown(logs)[0]).not.toBe('a2900');
    const times = shown(logs).map((text) => Number(text.slice(1)));
    expect(times).toEqual(times.toSorted((left, right) => left - right));
    for (let page = 0; page < 30 && logs.olderWanted(500); page += 1) await clock.advance(100);
    expect(shown(logs)).toHaveLength(1300);
    expect(logs.state.getState().older).toBe('none');
  });

  it('notifies of every inserted line', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    for (let second = 0; second < 50; second += 1) {
      write(a, second, `a${second}`);
      write(b, second * 3, `b${second * 3}`);
    }
    const { logs, clock } = join({ a, b });
    let told = 0;
    const add = (runs: readonly InsertedRun[]): void => {
      for (const { count } of runs) told += count;
    };
    logs.onInserted(add);
    await clock.advance(100);
    write(a, 100, 'a100');
    await clock.advance(100);
    expect(told).toBe(101);
    expect(logs.entries.length).toBe(101);
  });

  it('adds up the counts of all members', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    const { logs, clock } = join({ a, b });
    await clock.advance(10);
    write(a, 1, 'a1');
    write(b, 1, 'b1');
    b.send('{"type":"log"}', '{"type":"ping"}', '{"type":"stats"}');
    await clock.advance(1040);
    expect(logs.state.getState()).toMatchObject({
      received: 2,
      unreadable: 1,
      others: 1,
      rate: 2,
      ready: true,
    });
    expect(logs.services()).toEqual(['web']);
  });

  it('shares the memory limit and drops the oldest lines of all members', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    write(b, 1, 'b1');
    const { logs, clock } = join({ a, b }, { maxLines: 100, initialLines: 20 });
    await clock.advance(100);
    for (let second = 2; second < 300; second += 1) {
      write(a, second, `a${second}`);
      if (second % 5 === 0) await clock.advance(40);
    }
    await clock.advance(100);
    expect(logs.entries.length).toBeLessThanOrEqual(50);
    expect(shown(logs)).not.toContain('b1');
    expect(shown(logs).at(-1)).toBe('a299');
  });

  it('stops all members', async () => {
    const [a, b] = [new LogModel(), new LogModel()];
    const { logs, clock } = join({ a, b });
    await clock.advance(100);
    logs.stop();
    expect([a.streams, b.streams]).toEqual([0, 0]);
    expect(logs.state.getState().connection.kind).toBe('stopped');
    expect(clock.waiting()).toEqual([]);
  });
});
