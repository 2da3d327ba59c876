import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../source/commands/exit-codes.ts';
import { labelSentences } from '../../../source/store/log/feed/log-source.ts';
import { createTestClock, settled } from '../../support/clock.ts';
import { type RunningLogs, startLogs } from './run-logs.ts';
import { failure, LogModel } from '../../servers/log-model.ts';
import { waitFor } from '../../support/wait-for.ts';

const id = '0b5f3c1e-9a1d-4f6e-8f39-1c2d3e4f5a6b-4711';

function start(model: LogModel, options: Partial<Parameters<typeof startLogs>[0]> = {}) {
  const clock = createTestClock();
  const running = startLogs({
    client: { logs: model },
    clock,
    random: () => 0,
    id,
    follow: true,
    json: false,
    ...options,
  });
  return { clock, running };
}

async function end(running: RunningLogs): Promise<number> {
  running.interrupt();
  return await running.exit;
}

/** Text of the lines that were written. */
function texts(running: RunningLogs): readonly string[] {
  return running.lines().map((line) => line.split('  ').slice(1).join('  '));
}

function numbered(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
}

describe('logs into a pipe', () => {
  it('writes the last lines, then live ones, as timestamp, service and text', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 300));
    const { running, clock } = start(model, { limit: 3 });
    await clock.advance(500);
    model.append('GET / \u001b[31m500\u001b[0m\tslow\nsecond');
    await clock.advance(500);
    expect(texts(running)).toEqual([
      ...numbered(298, 300),
      String.raw`GET / ${'\u001b'}[31m500${'\u001b'}[0m${'\t'}slow\nsecond`,
    ]);
    expect(running.lines()[0]).toBe('2023-11-14T22:18:17.000Z web  line 298');
    expect(await end(running)).toBe(exitCodes.interrupted);
    expect(running.rest()).toBe('');
    expect(running.notes()).toEqual([]);
  });

  it('ends with the stream when the service completes that', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 3));
    const { running, clock } = start(model);
    await clock.advance(500);
    model.append('stopped');
    model.isClosed = true;
    model.cut(failure('ended'));
    await clock.advance(500);
    expect(await running.exit).toBe(exitCodes.done);
    expect(texts(running)).toEqual([...numbered(1, 3), 'stopped']);
    expect(running.notes()).toEqual(['It failed: ended. Try again.']);
  });

  it('goes on after a close in order while the deployment is open, and says so', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 3));
    const { running, clock } = start(model);
    await clock.advance(500);
    model.silent = true;
    model.append('line 4');
    model.silent = false;
    model.cut(failure('ended'));
    await clock.advance(1000);
    model.append('line 5');
    await clock.advance(500);
    expect(texts(running)).toEqual(numbered(1, 5));
    expect(running.notes()).toEqual([
      `The service ended the log stream of ${id}, which is not closed. Retrying.`,
      'The log stream is connected again.',
    ]);
    model.isClosed = true;
    model.cut(failure('ended'));
    await clock.advance(500);
    expect(await running.exit).toBe(exitCodes.done);
  });

  it('says once that messages of the stream are unreadable', async () => {
    const model = new LogModel();
    const { running, clock } = start(model);
    await clock.advance(500);
    model.send('{"type":"ping"}', 'ping', '', '{"cpu":1}');
    await clock.advance(500);
    expect(running.notes()).toEqual([]);
    model.send(Uint8Array.of(0x1f, 0x8b, 8, 0), '{"type":"log","logLine":7}');
    model.append('line 1');
    await clock.advance(500);
    model.send('{"type":"log","logLine":"cut');
    await clock.advance(500);
    expect(running.notes()).toEqual([
      "The log stream sends messages that can't be read. Lines in them may be missing.",
    ]);
    expect(texts(running)).toEqual(['line 1']);
    await end(running);
  });

  it('ends when the deployment is closed, although the stream stays open', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 3));
    const { running, clock } = start(model);
    await clock.advance(40_000);
    model.append('stopped');
    await clock.advance(500);
    model.isClosed = true;
    model.silent = true;
    model.append('the last line, which the stream keeps back');
    await clock.advance(60_000);
    expect(await running.exit).toBe(exitCodes.done);
    expect(texts(running)).toEqual([
      ...numbered(1, 3),
      'stopped',
      'the last line, which the stream keeps back',
    ]);
    expect(running.notes().at(-1)).toBe(`Deployment ${id} is closed.`);
  });

  it('asks only while no lines come whether the deployment is closed', async () => {
    const model = new LogModel();
    const { running, clock } = start(model);
    for (let second = 0; second < 100; second += 1) {
      model.append(`line ${second}`);
      await clock.advance(1000);
    }
    expect(model.endChecks).toBe(0);
    await clock.advance(31_000);
    expect(model.endChecks).toBeGreaterThan(0);
    await end(running);
  });

  it('tells why a searched history does not come, and waits for it', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 3));
    model.httpFails = failure('service-error', 500);
    const { running, clock } = start(model, { limit: Number.POSITIVE_INFINITY });
    await clock.advance(10_000);
    model.append('line 4');
    await clock.advance(1000);
    expect(texts(running)).toEqual([]);
    expect(running.notes()).toEqual(['It failed: service-error. Retrying to fetch the history.']);
    model.httpFails = undefined;
    await clock.advance(60_000);
    expect(texts(running)).toEqual(numbered(1, 4));
    await end(running);
  });

  it('writes a hundred lines of history when nothing else is said', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 300));
    const { running, clock } = start(model, { follow: false });
    await clock.advance(500);
    expect(await running.exit).toBe(exitCodes.done);
    expect(texts(running)).toEqual(numbered(201, 300));
  });

  it('writes no history when none is wanted, and still misses no live line', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 300));
    const { running, clock } = start(model, { limit: 0 });
    await clock.advance(500);
    model.append('line 301');
    await clock.advance(500);
    expect(texts(running)).toEqual(['line 301']);
    await end(running);
  });

  it('writes the contract message with --json, ids with all their digits', async () => {
    const model = new LogModel({ overHttp: ({ logLine }) => ({ logLine }) });
    model.append('from history "quoted"');
    const { running, clock } = start(model, { json: true });
    await clock.advance(500);
    model.write({ logLine: 'live', id: 2n ** 60n + 1n, deploymentId: id });
    await clock.advance(2000);
    expect(running.lines()).toEqual([
      `{"type":"log","id":null,"deploymentId":"${id}","serviceName":null,"timestamp":null,"logLine":"from history \\"quoted\\"","stream":null}`,
      `{"type":"log","id":1152921504606846977,"deploymentId":"${id}","serviceName":"web","timestamp":"2023-11-14T22:13:21.000Z","logLine":"live","stream":"stdout"}`,
    ]);
    await end(running);
  });

  it('says on stderr what is missing and what happened, and nothing but lines on stdout', async () => {
    const model = new LogModel({ retention: 3 });
    model.append(...numbered(1, 3));
    const { running, clock } = start(model);
    await clock.advance(500);
    model.cut();
    model.append(...numbered(4, 20));
    await clock.advance(1000);
    model.append('line 21');
    await clock.advance(1000);
    expect(texts(running)).toEqual([...numbered(1, 3), ...numbered(18, 21)]);
    expect(running.notes()).toEqual([
      'It failed: disconnected. Retrying.',
      'The log stream is connected again.',
      'Gap: lines 4 to 17 could not be fetched.',
    ]);
    await end(running);
  });

  it('waits for what is being fetched before it writes what comes behind', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 3));
    const { running, clock } = start(model, { historyTimeout: 30_000 });
    await clock.advance(500);
    model.cut();
    model.append('line 4');
    model.httpFails = failure('service-error', 503);
    await clock.advance(400);
    model.append('line 5');
    await clock.advance(400);
    expect(texts(running)).toEqual(numbered(1, 3));
    model.httpFails = undefined;
    await clock.advance(10_000);
    expect(texts(running)).toEqual(numbered(1, 5));
    await end(running);
  });

  it('goes on without a history that does not come, and counts what comes of it later', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 3));
    model.httpFails = failure('service-error', 500);
    const { running, clock } = start(model);
    await clock.advance(200);
    model.append('line 4');
    await clock.advance(900);
    expect(texts(running)).toEqual([]);
    await clock.advance(200);
    expect(texts(running)).toEqual(['line 4']);
    expect(running.notes()).toEqual(['No history came within 1 s. Going on with live lines.']);
    model.append('line 5');
    await clock.advance(300);
    expect(texts(running)).toEqual(numbered(4, 5));
    model.httpFails = undefined;
    await clock.advance(20_000);
    model.append('line 6');
    await clock.advance(500);
    expect(texts(running)).toEqual(numbered(4, 6));
    expect(running.notes().slice(1)).toEqual([
      '3 earlier lines came later and were not written. --backfill writes them.',
    ]);
    await end(running);
  });

  it('writes the history that comes later when asked to', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 3));
    model.httpFails = failure('service-error', 500);
    const { running, clock } = start(model, { backfill: true, historyTimeout: 2000, limit: 2 });
    await clock.advance(200);
    model.append('line 4');
    await clock.advance(1900);
    expect(texts(running)).toEqual([]);
    await clock.advance(200);
    model.httpFails = undefined;
    await clock.advance(20_000);
    expect(texts(running)).toEqual(['line 4', ...numbered(2, 3)]);
    expect(running.notes()).toEqual([
      'No history came within 2 s. Going on with live lines.',
      'The next lines are earlier ones that came later.',
    ]);
    await end(running);
  });

  it('goes on after a drop without the lines that are not there in time', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 3));
    const { running, clock } = start(model);
    await clock.advance(500);
    model.httpFails = failure('service-error', 503);
    model.cut();
    model.append(...numbered(4, 5));
    await clock.advance(400);
    model.append('line 6');
    await clock.advance(900);
    expect(texts(running)).toEqual(numbered(1, 3));
    await clock.advance(200);
    expect(texts(running)).toEqual([...numbered(1, 3), 'line 6']);
    expect(running.notes().at(-1)).toBe(
      'Lines 4 to 5 did not come within 1 s. Going on with live lines.',
    );
    model.httpFails = undefined;
    await clock.advance(20_000);
    model.append('line 7');
    await clock.advance(500);
    expect(texts(running)).toEqual([...numbered(1, 3), ...numbered(6, 7)]);
    expect(running.notes().at(-1)).toBe(
      '2 earlier lines came later and were not written. --backfill writes them.',
    );
    await end(running);
  });

  it('puts lines that overtook each other on the stream back in order', async () => {
    const model = new LogModel();
    model.append('line 1');
    const { running, clock } = start(model);
    await clock.advance(500);
    model.silent = true;
    model.append(...numbered(2, 5));
    for (const number of [1, 3, 2, 4]) {
      model.resend(number);
      await clock.advance(50);
    }
    await clock.advance(500);
    expect(texts(running)).toEqual(numbered(1, 5));
    expect(running.notes()).toEqual([]);
    await end(running);
  });

  it('writes a line that comes far too late, and says so', async () => {
    const model = new LogModel();
    model.append('line 1');
    const { running, clock } = start(model);
    await clock.advance(500);
    model.silent = true;
    model.append(...numbered(2, 4));
    model.resend(1);
    model.resend(3);
    await clock.advance(1000);
    model.resend(2);
    await clock.advance(1000);
    expect(texts(running)).toEqual(['line 1', 'line 2', 'line 4', 'line 3']);
    expect(running.notes()).toEqual([
      'The next lines arrived late; they belong before the last ones.',
    ]);
    await end(running);
  });

  it('says once that the services number their lines for themselves', async () => {
    const model = new LogModel();
    const write = (round: number): void => {
      model.write({ id: 1 + round, serviceName: 'web', logLine: `web ${round}` });
      model.write({ id: 1 + round, serviceName: 'api', logLine: `api ${round}` });
    };
    for (let round = 0; round < 10; round += 1) write(round);
    const { running, clock } = start(model);
    await clock.advance(500);
    for (let round = 10; round < 13; round += 1) {
      write(round);
      await clock.advance(2000);
    }
    const rounds = Array.from({ length: 13 }, (_, round) => [`web ${round}`, `api ${round}`]);
    expect(texts(running)).toEqual(rounds.flat());
    expect(running.notes()).toEqual([labelSentences.unnumbered]);
    await end(running);
  });

  it('looks for a text in live lines as the service does in its history', async () => {
    const model = new LogModel();
    model.append('an error', 'fine');
    const { running, clock } = start(model, { search: 'Error' });
    await clock.advance(500);
    model.append('all well', 'ERROR again');
    await clock.advance(2000);
    expect(texts(running)).toEqual(['an error', 'ERROR again']);
    await end(running);
  });

  it('makes the service wait for a slow reader instead of filling memory', async () => {
    const model = new LogModel();
    const { running, clock } = start(model);
    await clock.advance(500);
    running.stdout.pause();
    for (let from = 1; from < 30_000; from += 100) {
      model.append(...numbered(from, from + 99));
      await settled();
    }
    await clock.advance(100);
    const before = model.pausedLines;
    expect(before).toBeGreaterThan(10_000);
    running.stdout.resume();
    await waitFor(() => expect(running.lines()).toHaveLength(30_000));
    expect(texts(running)).toEqual(numbered(1, 30_000));
    expect(running.notes()).toEqual([]);
    await end(running);
  });

  it('loses no line of a slow reader when little may be kept', async () => {
    const model = new LogModel();
    const { running, clock } = start(model, { memory: { maxLines: 1000, maxBytes: 2 ** 20 } });
    await clock.advance(500);
    running.stdout.pause();
    const text = 'x'.repeat(20_000);
    for (let from = 1; from < 1500; from += 10) {
      model.append(...numbered(from, from + 9).map((line) => line + text));
      await settled();
    }
    await clock.advance(100);
    expect(model.pausedLines).toBeGreaterThan(500);
    running.stdout.resume();
    await waitFor(() => expect(running.lines()).toHaveLength(1500));
    expect(texts(running)).toEqual(numbered(1, 1500).map((line) => line + text));
    expect(running.notes()).toEqual([]);
    await end(running);
  });

  it('ends quietly when nobody reads any more', async () => {
    const model = new LogModel();
    const { running, clock } = start(model);
    await clock.advance(500);
    running.stdout.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    model.append('line 1');
    await clock.advance(500);
    expect(await running.exit).toBe(exitCodes.done);
    expect(running.notes()).toEqual([]);
  });

  it('fails when the output cannot be written', async () => {
    const model = new LogModel();
    const { running, clock } = start(model);
    await clock.advance(500);
    running.stdout.destroy(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    model.append('line 1');
    await clock.advance(500);
    expect(await running.exit).toBe(exitCodes.failed);
    // The start of the program tells failed writes of all commands.
    expect(running.notes()).toEqual([]);
  });

  it('ends on an interrupt although its reader has stalled', async () => {
    const model = new LogModel();
    model.append(...numbered(1, 100).map((text) => text.padEnd(1000, '.')));
    const { running, clock } = start(model);
    running.stdout.pause();
    await clock.advance(1000);
    expect(await end(running)).toBe(exitCodes.interrupted);
  });
});

describe('the deployment of logs', () => {
  it('may be unknown to the logs although it is listed', async () => {
    const model = new LogModel();
    model.httpFails = failure('not-found', 404);
    model.streamFails = failure('not-found', 404);
    const { running, clock } = start(model);
    await clock.advance(1000);
    expect(await running.exit).toBe(exitCodes.notFound);
    expect(running.notes().at(-1)).toBe('It failed: not-found. Try again.');
  });

  it('is given up when the token is refused from the start', async () => {
    const model = new LogModel();
    model.httpFails = failure('unauthorized', 401);
    model.streamFails = failure('unauthorized', 401);
    const { running, clock } = start(model);
    await clock.advance(1000);
    expect(await running.exit).toBe(exitCodes.notAllowed);
  });
});
