import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LogStream } from '../../../../source/client/stream/log-stream.ts';
import type { LogLine } from '../../../../source/contract/logs.ts';
import {
  FollowedLog,
  type FollowedLogOptions,
} from '../../../../source/store/log/feed/followed-log.ts';
import { createTestClock, settled } from '../../../support/clock.ts';
import { failure, LogModel } from '../../../servers/log-model.ts';
import { waitFor } from '../../../support/wait-for.ts';

const running: FollowedLog[] = [];

afterEach(() => {
  for (const logs of running.splice(0)) logs.stop();
});

function follow(model: LogModel, options: Partial<FollowedLogOptions> = {}) {
  const clock = createTestClock();
  const logs = new FollowedLog({
    client: model,
    deploymentId: 'd',
    clock,
    random: () => 0,
    ...options,
  });
  running.push(logs);
  return { logs, clock };
}

/** Follows a log whose line 11 arrives live after `patience` failed requests for lines 6 to 10. */
async function followedPastFailures(patience: number) {
  const model = new LogModel();
  model.append(...texts(1, 5));
  const { logs, clock } = follow(model, { maxAttempts: patience });
  await settled();
  model.cut();
  model.append(...texts(6, 10));
  model.httpFails = failure('service-error', 500);
  await clock.advance(300);
  model.append('line 11');
  await clock.advance(5000);
  return { model, logs };
}

/** Returns the texts of the lines and the states of the gaps. */
function shown(logs: FollowedLog): readonly string[] {
  return logs.entries
    .slice(0, logs.entries.length)
    .map((entry) => (entry.kind === 'line' ? entry.line.logLine : entry.state.kind));
}

function texts(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
}

/** A fast log: during each answer lines are written that the stream delivers afterwards. */
class FastModel extends LogModel {
  last = 0;
  #stream: LogStream | undefined;

  more(lines: number): void {
    this.append(...texts(this.last + 1, this.last + lines));
    this.last += lines;
  }

  override stream(...to: Parameters<LogModel['stream']>): LogStream {
    this.#stream = super.stream(...to);
    return this.#stream;
  }

  override fetch(...what: Parameters<LogModel['fetch']>): ReturnType<LogModel['fetch']> {
    this.#stream?.pause();
    this.more(40);
    setImmediate(() => this.#stream?.resume());
    return super.fetch(...what);
  }
}

it('a line that the stream has left out between others is fetched after a while', async () => {
  const model = new LogModel();
  model.append(...texts(1, 5));
  const { logs, clock } = follow(model);
  await clock.advance(100);
  model.append('line 6');
  model.silent = true;
  model.append('line 7');
  model.silent = false;
  model.append('line 8');
  await settled();
  expect(shown(logs)).toEqual([...texts(1, 6), 'line 8']);
  // A stream that goes on is not read again for being quiet.
  for (let line = 9; line <= 14; line += 1) {
    await clock.advance(4000);
    model.append(`line ${line}`);
  }
  await settled();
  expect(shown(logs)).toEqual(texts(1, 14));
});

describe('earlier lines that the service does not answer', () => {
  it('are an error beside the live lines until a retry brings them', async () => {
    const model = new LogModel();
    model.append(...texts(1, 5));
    model.httpFails = failure('service-error', 500);
    const { logs, clock } = follow(model, { maxAttempts: 2 });
    await clock.advance(100);
    expect(logs.state.getState()).toMatchObject({ olderError: { status: 500 } });
    model.append('line 6');
    await clock.advance(10_000);
    expect(shown(logs)).toEqual(['line 6']);
    expect(logs.state.getState()).toMatchObject({ olderError: { status: 500 }, older: 'more' });
    model.httpFails = undefined;
    logs.retryGaps();
    await clock.advance(100);
    expect(shown(logs)).toEqual(texts(1, 6));
    expect(logs.state.getState().olderError).toBeUndefined();
  });

  it('are fetched by a retry of an empty log', async () => {
    const model = new LogModel();
    model.append(...texts(1, 5));
    model.httpFails = failure('rate-limited', 429);
    const { logs, clock } = follow(model, { maxAttempts: 1 });
    await clock.advance(4000);
    expect(logs.state.getState()).toMatchObject({ ready: true, olderError: { status: 429 } });
    model.httpFails = undefined;
    logs.retryGaps();
    await clock.advance(100);
    expect(shown(logs)).toEqual(texts(1, 5));
    expect(logs.state.getState().olderError).toBeUndefined();
  });

  it('are no error when only the lines after a reconnect fail', async () => {
    const { logs } = await followedPastFailures(2);
    expect(logs.state.getState().olderError).toBeUndefined();
  });
});

describe('a followed log', () => {
  it('loads the requested history and continues with live lines', async () => {
    const model = new LogModel();
    model.append(...texts(1, 300));
    const { logs } = follow(model, { initialLines: 100 });
    await settled();
    model.append('line 301');
    await settled();
    expect(logs.ready()).toBe(true);
    expect(shown(logs).slice(-101)).toEqual(texts(201, 301));
    expect(model.queries).toHaveLength(1);
  });

  it('shows live lines while the history is loading, and joins them', async () => {
    const model = new LogModel();
    model.append(...texts(1, 50));
    const { logs } = follow(model);
    await waitFor(() => expect(model.streams).toBe(1));
    model.append('line 51', 'line 52');
    await settled();
    expect(shown(logs)).toEqual(texts(1, 52));
  });

  it.each(['newest', 'oldest'] as const)(
    'joins history without ids although its pages are ahead of the stream: %s first',
    async (offsets) => {
      const bare = (line: LogLine): LogLine => ({ ...line, id: undefined });
      const model = new FastModel({ offsets, rows: offsets, overHttp: bare, overStream: bare });
      model.more(1500);
      const { logs, clock } = follow(model);
      await waitFor(() => expect(model.streams).toBe(1));
      model.more(100);
      await waitFor(() => expect(logs.ready()).toBe(true));
      // One more page has the lines that the stream has brought meanwhile.
      await clock.advance(1000);
      expect(logs.entries.gaps).toEqual([]);
      await waitFor(() => expect(shown(logs).at(-1)).toBe(`line ${model.last}`));
      expect(logs.firstLive()).toBeGreaterThanOrEqual(1000);
      expect(shown(logs)).toEqual(texts(model.last - logs.entries.length + 1, model.last));
    },
  );

  it('fetches the missed lines after a lost connection, without a gap', async () => {
    const model = new LogModel();
    model.append(...texts(1, 10));
    const { logs, clock } = follow(model);
    await settled();
    model.cut();
    model.append(...texts(11, 20));
    expect(logs.state.getState().connection.kind).toBe('connecting');
    await clock.advance(40);
    expect(logs.state.getState().connection.kind).toBe('retrying');
    await clock.advance(250);
    model.append('line 21');
    await settled();
    expect(shown(logs)).toEqual(texts(1, 21));
  });

  it('shows a gap for lines that the service no longer has', async () => {
    const model = new LogModel({ retention: 5 });
    model.append(...texts(1, 5));
    const { logs, clock } = follow(model);
    await settled();
    model.cut();
    model.append(...texts(6, 20));
    await clock.advance(1000);
    expect(shown(logs)).toEqual([...texts(1, 5), 'missing', ...texts(16, 20)]);
    const gap = logs.entries.at(5);
    expect(gap).toMatchObject({ kind: 'gap', after: { id: 5 }, until: { id: 16 } });
  });

  it('shows a gap after failed requests, and fills it on a retry', async () => {
    const { model, logs } = await followedPastFailures(2);
    expect(shown(logs)).toEqual([...texts(1, 5), 'missing', 'line 11']);
    model.httpFails = undefined;
    logs.retryGaps();
    await settled();
    expect(shown(logs)).toEqual(texts(1, 11));
  });

  it('keeps the seq of every entry while others are inserted between', async () => {
    const { model, logs } = await followedPastFailures(1);
    const before = new Map(
      logs.entries
        .slice(0, logs.entries.length)
        .map((entry) => [entry.kind === 'line' ? entry.line.id : 'gap', entry.seq]),
    );
    model.httpFails = undefined;
    logs.retryGaps();
    await settled();
    for (const entry of logs.entries.slice(0, logs.entries.length)) {
      const id = entry.kind === 'line' ? entry.line.id : 'gap';
      if (before.has(id)) expect(entry.seq).toBe(before.get(id));
      expect(logs.entries.at(logs.entries.indexOf(entry.seq))).toEqual(entry);
    }
  });

  it('does not mistake lines for old ones when the service restarts its ids', async () => {
    const model = new LogModel();
    model.append(...texts(1, 10));
    const { logs, clock } = follow(model);
    await settled();
    model.cut();
    model.loseLog();
    model.append('new 1', 'new 2');
    await clock.advance(300);
    model.append('new 3');
    await clock.advance(1000);
    expect(shown(logs)).toEqual([...texts(1, 10), 'missing', 'new 1', 'new 2', 'new 3']);
    model.append('new 4');
    await settled();
    expect(shown(logs).at(-1)).toBe('new 4');
  });

  it('sends as few requests as possible', async () => {
    const model = new LogModel();
    model.append(...texts(1, 300));
    const { logs, clock } = follow(model, { initialLines: 100 });
    await settled();
    model.append('line 301');
    await settled();
    // One page of history; the first live line continues it.
    expect(model.queries).toEqual([{ limit: 100, offset: 0 }]);
    model.cut();
    await clock.advance(300);
    model.append('line 302');
    await settled();
    // One request for the missed lines.
    expect(model.queries).toHaveLength(2);
    expect(shown(logs).slice(-2)).toEqual(['line 301', 'line 302']);
  });

  it('finds the end of an oldest-first log without reading it', async () => {
    const model = new LogModel({ offsets: 'oldest', rows: 'oldest', maxPage: 500 });
    model.append(...texts(1, 20_000));
    const { logs } = follow(model, { initialLines: 100 });
    await settled();
    expect(shown(logs).slice(-100)).toEqual(texts(19_901, 20_000));
    const asked = model.queries.reduce((sum, { limit = 0 }) => sum + limit, 0);
    expect(model.queries.length).toBeLessThan(25);
    expect(asked).toBeLessThan(2500);
  });

  it('requests smaller pages when larger ones are refused', async () => {
    const model = new LogModel();
    model.append(...texts(1, 300));
    model.largestLimit = 100;
    const { logs } = follow(model, { initialLines: 250 });
    await settled();
    expect(shown(logs).slice(-250)).toEqual(texts(51, 300));
  });

  it('loads older lines on request', async () => {
    const model = new LogModel();
    model.append(...texts(1, 300));
    const { logs, clock } = follow(model, { initialLines: 100 });
    await settled();
    const first = logs.entries.length;
    expect(logs.olderWanted(150)).toBe(true);
    await settled();
    expect(logs.entries.length).toBeGreaterThanOrEqual(first + 150);
    logs.olderWanted(1000);
    await clock.advance(50);
    expect(shown(logs)).toEqual(texts(1, 300));
    expect(logs.state.getState().older).toBe('none');
    expect(logs.olderWanted(10)).toBe(false);
  });

  it('drops the oldest lines to stay within its memory limit', async () => {
    const model = new LogModel();
    model.append(...texts(1, 80));
    const { logs, clock } = follow(model, { maxLines: 100, initialLines: 50 });
    await settled();
    for (let line = 81; line <= 500; line += 1) {
      model.append(`line ${line}`);
      if (line % 7 === 0) await settled();
    }
    await settled();
    expect(logs.entries.length).toBeLessThanOrEqual(100);
    expect(shown(logs)).toEqual(texts(501 - logs.entries.length, 500));
    model.cut();
    model.append(...texts(501, 520));
    await clock.advance(1000);
    expect(shown(logs)).toEqual(texts(521 - logs.entries.length, 520));
  });

  it('ignores repeated lines of the stream from before its history', async () => {
    const model = new LogModel();
    model.append(...texts(1, 300));
    const { logs } = follow(model, { initialLines: 100 });
    await settled();
    for (const number of [10, 250, 299]) model.resend(number);
    model.append('line 301');
    await settled();
    expect(shown(logs)).toEqual(texts(201, 301));
    expect(model.queries).toHaveLength(1);
  });

  it('filters live lines like the history', async () => {
    const model = new LogModel();
    model.write({ logLine: 'old ERROR', serviceName: 'api' });
    model.write({ logLine: 'old error', serviceName: 'web' });
    const { logs } = follow(model, { service: 'api', search: 'error' });
    await settled();
    model.write({ logLine: 'an Error', serviceName: 'api' });
    model.write({ logLine: 'fine', serviceName: 'api' });
    model.write({ logLine: 'error elsewhere', serviceName: 'web' });
    await settled();
    expect(shown(logs)).toEqual(['old ERROR', 'an Error']);
    expect(model.queries[0]).toMatchObject({ service: 'api', search: 'error' });
    expect(logs.services()).toEqual(['api']);
  });

  it('counts lines, unreadable messages and the rate, and notifies once a frame', async () => {
    const model = new LogModel();
    const { logs, clock } = follow(model);
    await settled();
    await clock.advance(100);
    const heard = vi.fn<() => void>();
    logs.state.subscribe(heard);
    for (let line = 1; line <= 50; line += 1) model.append(`line ${line}`);
    model.send(
      '{"type":"ping"}',
      '{"type":"stats"}',
      'x',
      Uint8Array.of(0, 255),
      '{"logLine":"untyped"}',
    );
    await clock.advance(33);
    expect(heard).toHaveBeenCalledOnce();
    expect(logs.state.getState()).toMatchObject({ received: 50, unreadable: 3, others: 1 });
    await clock.advance(1000);
    expect(logs.state.getState().rate).toBe(50);
    await clock.advance(1100);
    expect(logs.state.getState().rate).toBe(0);
  });

  it('notifies less often while lines rush by, and also of the last line', async () => {
    const model = new LogModel();
    const { logs, clock } = follow(model);
    await settled();
    await clock.advance(100);
    const heard = vi.fn<() => void>();
    logs.state.subscribe(heard);
    for (let passed = 0; passed < 660; passed += 11) {
      for (let line = 0; line < 11; line += 1) model.append(`line ${passed + line}`);
      await clock.advance(11);
    }
    await clock.advance(264);
    expect(heard.mock.calls.length).toBeGreaterThan(3);
    expect(heard.mock.calls.length).toBeLessThan(8);
    expect(logs.state.getState().received).toBe(660);
  });

  it('stops after the history when it does not follow', async () => {
    const model = new LogModel();
    model.append(...texts(1, 300));
    const { logs, clock } = follow(model, { follow: false, initialLines: 250 });
    await clock.advance(100);
    expect(logs.state.getState().connection).toEqual({ kind: 'stopped', error: undefined });
    expect(shown(logs).slice(-250)).toEqual(texts(51, 300));
    expect(model.attempts).toBe(0);
  });

  it('stops when the service ends the stream of a closed deployment, after the last lines from HTTP', async () => {
    const model = new LogModel();
    model.isClosed = true;
    model.append(...texts(1, 20));
    const { logs, clock } = follow(model);
    await settled();
    model.silent = true;
    model.append('line 21');
    model.cut(failure('ended'));
    await clock.advance(100);
    expect(shown(logs)).toEqual(texts(1, 21));
    expect(logs.state.getState().connection).toMatchObject({
      kind: 'stopped',
      error: { code: 'ended' },
    });
    await clock.advance(120_000);
    expect(model.attempts).toBe(1);
    logs.reconnect();
    await clock.advance(100);
    expect(logs.state.getState().connection).toEqual({ kind: 'live' });
  });

  it('stops only when all missing lines are fetched, even over several pages', async () => {
    const model = new LogModel();
    model.isClosed = true;
    model.append(...texts(1, 20));
    const { logs, clock } = follow(model);
    await settled();
    model.silent = true;
    model.append(...texts(21, 5000));
    model.cut(failure('ended'));
    await clock.advance(2000);
    expect(shown(logs)).toEqual(texts(1, 5000));
    expect(logs.state.getState().connection).toMatchObject({ kind: 'stopped' });
  });

  it('retries the last lines when the service was down as the stream ended', async () => {
    const model = new LogModel();
    model.isClosed = true;
    model.append(...texts(1, 20));
    const { logs, clock } = follow(model);
    await settled();
    model.silent = true;
    model.append('line 21');
    model.httpFails = failure('timeout');
    model.streamFails = failure('ended');
    model.cut(failure('ended'));
    await clock.advance(5000);
    expect(shown(logs)).toEqual(texts(1, 20));
    model.httpFails = undefined;
    await clock.advance(30_000);
    expect(shown(logs)).toEqual(texts(1, 21));
    expect(logs.state.getState().connection).toMatchObject({ kind: 'stopped' });
  });

  it('loads the history of a stream that completes at once', async () => {
    const model = new LogModel();
    model.isClosed = true;
    model.append(...texts(1, 20));
    model.streamFails = failure('ended');
    const { logs, clock } = follow(model);
    await clock.advance(100);
    expect(shown(logs)).toEqual(texts(1, 20));
    expect(logs.state.getState().connection).toMatchObject({ kind: 'stopped' });
  });

  it('opens the stream again when the service ends it and the deployment is open', async () => {
    const model = new LogModel();
    model.append(...texts(1, 20));
    const { logs, clock } = follow(model);
    await settled();
    model.silent = true;
    model.append('line 21');
    model.silent = false;
    model.cut(failure('ended'));
    await clock.advance(40);
    expect(logs.state.getState().connection).toMatchObject({
      kind: 'retrying',
      error: { code: 'disconnected' },
    });
    await clock.advance(1000);
    model.append('line 22');
    await clock.advance(100);
    expect(shown(logs)).toEqual(texts(1, 22));
    expect(logs.state.getState().connection).toEqual({ kind: 'live' });
  });

  it('waits longer each time for a stream that ends at once, and reads its lines by HTTP', async () => {
    const model = new LogModel();
    model.append(...texts(1, 20));
    const { logs, clock } = follow(model);
    await settled();
    const stop = logs.state.subscribe(({ connection }) => {
      if (connection.kind === 'live') model.cut(failure('ended'));
    });
    model.silent = true;
    model.cut(failure('ended'));
    model.append(...texts(21, 25));
    await clock.advance(60_000);
    expect(model.attempts).toBeGreaterThan(5);
    expect(model.attempts).toBeLessThan(15);
    expect(shown(logs)).toEqual(texts(1, 25));
    stop();
  });

  it('reads on when nobody knows at first whether the deployment is closed', async () => {
    const model = new LogModel();
    model.append(...texts(1, 20));
    const { logs, clock } = follow(model);
    await settled();
    model.httpFails = failure('refused');
    model.streamFails = failure('refused');
    model.cut(failure('ended'));
    await clock.advance(5000);
    expect(logs.state.getState().connection).toMatchObject({ error: { code: 'refused' } });
    model.httpFails = undefined;
    model.streamFails = undefined;
    await clock.advance(10_000);
    model.append('line 21');
    await clock.advance(100);
    expect(shown(logs)).toEqual(texts(1, 21));
  });

  it('drops the answer about a stream that was opened again meanwhile', async () => {
    const model = new LogModel();
    const { logs, clock } = follow(model);
    await settled();
    const answer = Promise.withResolvers<Awaited<ReturnType<LogModel['isEnded']>>>();
    model.isEnded = () => answer.promise;
    model.cut(failure('ended'));
    logs.reconnect();
    await settled();
    answer.resolve({ ok: true, value: true });
    await clock.advance(1000);
    expect(logs.state.getState().connection).toEqual({ kind: 'live' });
  });

  it('shows a gap when no history can be fetched', async () => {
    const model = new LogModel();
    model.httpFails = failure('forbidden', 403);
    const { logs, clock } = follow(model, { follow: false });
    await clock.advance(100);
    expect(logs.state.getState().connection).toMatchObject({
      kind: 'stopped',
      error: { code: 'forbidden' },
    });
  });
});

describe('the connection of a followed log', () => {
  it('doubles its delay after each failure up to ten seconds, and resets it after a line', async () => {
    const model = new LogModel();
    model.httpFails = failure('refused');
    model.streamFails = failure('refused');
    const { logs, clock } = follow(model);
    const waits: number[] = [];
    for (let turn = 0; turn < 8; turn += 1) {
      await settled();
      await clock.advance(33);
      const { connection } = logs.state.getState();
      if (connection.kind === 'retrying') waits.push(connection.at - clock.now() + 33);
      if (connection.kind === 'retrying') await clock.advance(connection.at - clock.now());
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    model.streamFails = undefined;
    await clock.advance(10_000);
    model.append('line 1');
    model.cut();
    await clock.advance(33);
    expect(logs.state.getState().connection).toMatchObject({ at: clock.now() - 33 + 250 });
  });

  it('doubles its delay also after streams that only repeat known lines', async () => {
    const model = new LogModel();
    model.append('line 1');
    const { logs, clock } = follow(model);
    const waits: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await settled();
      model.resend(0);
      model.cut();
      await clock.advance(33);
      const { connection } = logs.state.getState();
      if (connection.kind === 'retrying') waits.push(connection.at - clock.now() + 33);
      if (connection.kind === 'retrying') await clock.advance(connection.at - clock.now());
    }
    expect(waits).toEqual([250, 500, 1000]);
  });

  it('polls by HTTP every two seconds when the service has no stream', async () => {
    const model = new LogModel();
    model.append(...texts(1, 3));
    model.streamFails = failure('not-found', 404);
    const { logs, clock } = follow(model);
    await clock.advance(50);
    expect(logs.state.getState().connection.kind).toBe('polling');
    model.append(...texts(4, 6));
    await clock.advance(2000);
    expect(shown(logs)).toEqual(texts(1, 6));
    model.streamFails = undefined;
    await clock.advance(30_000);
    expect(logs.state.getState().connection.kind).toBe('live');
    model.append('line 7');
    await settled();
    expect(shown(logs)).toEqual(texts(1, 7));
  });

  it('reports a lost service or a rejected token while it polls by HTTP', async () => {
    for (const error of [failure('refused'), failure('forbidden', 403)]) {
      const model = new LogModel();
      model.streamFails = failure('not-found', 404);
      const { logs, clock } = follow(model);
      await clock.advance(50);
      model.httpFails = error;
      await clock.advance(2050);
      expect(logs.state.getState().connection).toMatchObject({ kind: 'retrying', error });
    }
  });

  it('waits for Retry-After before it fetches again', async () => {
    const model = new LogModel();
    model.append(...texts(1, 3));
    model.httpFails = { ...failure('rate-limited', 429), retryAfter: 20 };
    const { logs, clock } = follow(model);
    await clock.advance(19_000);
    expect(model.queries).toHaveLength(1);
    model.httpFails = undefined;
    await clock.advance(2000);
    expect(shown(logs)).toEqual(texts(1, 3));
  });

  it('waits longer and longer while the service limits requests without Retry-After', async () => {
    const model = new LogModel();
    model.append(...texts(1, 3));
    model.httpFails = failure('rate-limited', 429);
    const { logs, clock } = follow(model);
    const requests: number[] = [];
    for (const ms of [900, 5100, 8000]) {
      await clock.advance(ms);
      requests.push(model.queries.length);
    }
    expect(requests).toEqual([1, 3, 4]);
    model.append('line 4');
    await clock.advance(100);
    expect(shown(logs)).toEqual(['line 4']);
    model.httpFails = undefined;
    logs.retryGaps();
    await clock.advance(100);
    expect(shown(logs)).toEqual(texts(1, 4));
  });

  it('stops when neither the stream nor the history knows the deployment', async () => {
    const model = new LogModel();
    model.streamFails = failure('not-found', 404);
    model.httpFails = failure('not-found', 404);
    const { logs, clock } = follow(model);
    await clock.advance(100);
    expect(logs.state.getState().connection).toMatchObject({
      kind: 'stopped',
      error: { code: 'not-found' },
    });
    const { attempts } = model;
    await clock.advance(60_000);
    expect(model.attempts).toBe(attempts);
    model.streamFails = undefined;
    model.httpFails = undefined;
    logs.reconnect();
    await clock.advance(100);
    expect(logs.state.getState().connection.kind).toBe('live');
  });

  it('does not connect when it is stopped while paused', async () => {
    const model = new LogModel();
    const { logs, clock } = follow(model);
    await clock.advance(100);
    logs.setPaused(true);
    model.cut();
    await clock.advance(1000);
    const { attempts } = model;
    logs.stop();
    logs.setPaused(false);
    await clock.advance(1000);
    expect(model.attempts).toBe(attempts);
  });

  it('retries rarely when the service rejects the token', async () => {
    const model = new LogModel();
    model.streamFails = failure('unauthorized', 401);
    model.httpFails = failure('unauthorized', 401);
    const { logs, clock } = follow(model);
    await clock.advance(29_000);
    expect(model.attempts).toBe(1);
    expect(logs.state.getState().connection).toMatchObject({
      kind: 'retrying',
      error: { code: 'unauthorized' },
    });
    await clock.advance(2000);
    expect(model.attempts).toBe(2);
  });

  it('shows the history while the stream fails', async () => {
    const model = new LogModel();
    model.append(...texts(1, 3));
    model.streamFails = failure('service-error', 502);
    const { logs, clock } = follow(model);
    await clock.advance(100);
    expect(shown(logs)).toEqual(texts(1, 3));
    model.append('line 4');
    await clock.advance(500);
    expect(shown(logs)).toEqual(texts(1, 4));
  });

  it('detects an open stream that withholds lines, and reconnects', async () => {
    const model = new LogModel();
    model.append(...texts(1, 3));
    const { logs, clock } = follow(model);
    await settled();
    model.silent = true;
    model.append('line 4');
    await clock.advance(5100);
    expect(shown(logs)).toEqual(texts(1, 4));
    await clock.advance(1000);
    expect(model.attempts).toBe(1);
    await clock.advance(1000);
    expect(model.attempts).toBe(2);
    model.append('line 5');
    await clock.advance(20_000);
    model.append('line 6');
    await clock.advance(10_000);
    expect(logs.state.getState().connection.kind).toBe('polling');
    expect(shown(logs)).toEqual(texts(1, 6));
  });

  it('keeps a quiet stream that withholds nothing', async () => {
    const model = new LogModel();
    model.append(...texts(1, 3));
    const { clock } = follow(model);
    await clock.advance(120_000);
    expect(model.attempts).toBe(1);
    expect(model.queries.length).toBeLessThan(10);
  });

  it('reads nothing while paused, and loses no line', async () => {
    const model = new LogModel();
    const { logs, clock } = follow(model);
    await settled();
    model.append('line 1');
    await settled();
    logs.setPaused(true);
    model.append('line 2');
    model.cut();
    model.append('line 3');
    await clock.advance(60_000);
    expect(model.streams).toBe(0);
    logs.setPaused(false);
    await clock.advance(1000);
    expect(shown(logs)).toEqual(texts(1, 3));
  });

  it('does nothing after a stop', async () => {
    const model = new LogModel();
    const { logs, clock } = follow(model);
    await settled();
    logs.stop();
    expect(model.streams).toBe(0);
    expect(logs.state.getState().connection.kind).toBe('stopped');
    expect(clock.waiting()).toEqual([]);
  });
});
