import { rmSync, writeFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../source/host/clock.ts';
import { HostLogs } from '../../../source/host/logs/logs.ts';
import { LogWriter } from '../../../source/host/logs/writer.ts';
import { logFolder } from './log-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const program = new URL('../../fixtures/refusing-log-worker.ts', import.meta.url);

const owner = { number: 7, id: 'deployment-7' };

interface Message {
  readonly id: number;
  readonly logLine: string;
  readonly stream: string;
}

/** Opens logs in a folder of their own, and collects the workers that are started. */
async function openLogs() {
  const folder = logFolder();
  const workers: Worker[] = [];
  const onWorker = (worker: Worker) => workers.push(worker);
  process.on('worker', onWorker);
  const failures: string[] = [];
  const open = (newest: number) =>
    LogWriter.open({
      file: folder.file,
      limits: { maxLogBytes: 1e9, maxAllLogBytes: 1e9 },
      newestDeployment: newest,
      program,
      onFailure: (error) => failures.push(String(error)),
    });
  let writer = await open(0);
  const parts = { clock: systemClock, backlogBytes: 1e9 };
  let logs = new HostLogs({ ...parts, writer });
  return {
    file: folder.file,
    workers,
    failures,
    get logs() {
      return logs;
    },
    async again() {
      await logs.close();
      writer = await open(owner.number);
      logs = new HostLogs({ ...parts, writer });
    },
    async [Symbol.asyncDispose]() {
      await logs.close();
      process.off('worker', onWorker);
      folder[Symbol.dispose]();
    },
  };
}

async function fetchMessages(logs: HostLogs, limit = 1e6): Promise<readonly Message[]> {
  const json = await logs.fetch(owner, { limit, offset: 0 });
  return (JSON.parse(Buffer.from(json).toString()) as readonly Message[]).toReversed();
}

/** Subscribes, and returns the received messages, except frames of fewer than 126 bytes. */
function follow(logs: HostLogs) {
  const messages: Message[] = [];
  logs.subscribe(owner, {
    send(frames) {
      const text = Buffer.from(frames).toString('latin1');
      for (const [json] of text.matchAll(/\{"type":"log".*?"stream":"\w+"\}/gs)) {
        messages.push(JSON.parse(json) as Message);
      }
    },
    backlog: () => 0,
    drop: () => undefined,
    end: () => undefined,
  });
  return messages;
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index}`);

describe('the log worker', () => {
  it('is replaced when it dies: each line is stored and delivered once', async () => {
    await using open = await openLogs();
    const { logs, workers, failures } = open;
    const seen = follow(logs);
    let written = 0;
    for (let round = 0; round < 4; round += 1) {
      for (let batch = 0; batch < 20; batch += 1) {
        void logs.append(owner, 'web', 'stdout', numbered(written, written + 300));
        written += 300;
      }
      // Terminated in the middle of its work, or before it has begun.
      await workers.at(-1)?.terminate();
      await waitFor(() => {
        expect(workers.length).toBe(round + 2);
      });
    }
    await waitFor(() => {
      expect(seen.length).toBe(written);
    });
    const all = await fetchMessages(logs);
    expect(all.map(({ id, logLine }) => `${id} ${logLine}`)).toEqual(
      numbered(0, written).map((line, index) => `${index + 1} ${line}`),
    );
    expect(seen.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(failures).toHaveLength(4);
  });

  it('gets a request again after it died during the answer', async () => {
    await using open = await openLogs();
    void open.logs.append(owner, 'web', 'stdout', numbered(0, 100));
    await open.logs.flush();
    const answer = fetchMessages(open.logs);
    await open.workers[0]?.terminate();
    expect(await answer).toHaveLength(100);
  });

  it('ends when the logs are closed, and all lines are there after reopening', async () => {
    await using open = await openLogs();
    void open.logs.append(owner, 'web', 'stdout', numbered(0, 9000));
    await open.again();
    void open.logs.append(owner, 'web', 'stdout', numbered(9000, 9010));
    const all = await fetchMessages(open.logs);
    expect(all.map(({ id, logLine }) => `${id} ${logLine}`)).toEqual(
      numbered(0, 9010).map((line, index) => `${index + 1} ${line}`),
    );
  });
});

describe('a log that is removed', () => {
  it('has no lines, also after the worker died meanwhile, and a new one begins at 1', async () => {
    await using open = await openLogs();
    void open.logs.append(owner, 'web', 'stdout', numbered(0, 30_000));
    await open.logs.flush();
    const removal = open.logs.remove([owner]);
    await open.workers[0]?.terminate();
    await removal;
    expect(await fetchMessages(open.logs)).toEqual([]);
    await open.again();
    expect(await fetchMessages(open.logs)).toEqual([]);
    void open.logs.append(owner, 'web', 'stdout', ['again']);
    expect(await fetchMessages(open.logs)).toMatchObject([{ id: 1, logLine: 'again' }]);
  });

  it('is removed with the lines that were not written yet', async () => {
    await using open = await openLogs();
    void open.logs.append(owner, 'web', 'stdout', numbered(0, 10));
    await open.logs.remove([owner]);
    await open.logs.flush();
    expect(await fetchMessages(open.logs)).toEqual([]);
  });

  it('stays while the disk refuses its last lines', async () => {
    await using open = await openLogs();
    void open.logs.append(owner, 'web', 'stdout', numbered(0, 10));
    await open.logs.flush();
    const disk = fill(open.file);
    void open.logs.append(owner, 'web', 'stdout', numbered(10, 20));
    await expect(open.logs.remove([owner])).rejects.toThrow('The disk refuses log lines.');
    disk.empty();
    await waitFor(async () => expect(await fetchMessages(open.logs)).toHaveLength(20));
    await open.logs.remove([owner]);
    expect(await fetchMessages(open.logs)).toEqual([]);
  });
});

describe('while the disk refuses writes', () => {
  it('lines are buffered, and stored in order later', async () => {
    await using open = await openLogs();
    const { logs, failures } = open;
    const seen = follow(logs);
    void logs.append(owner, 'web', 'stdout', numbered(0, 10));
    await logs.flush();
    const disk = fill(open.file);
    void logs.append(owner, 'web', 'stdout', numbered(10, 20));
    await logs.flush();
    void logs.append(owner, 'web', 'stdout', numbered(20, 9000));
    // Stored lines can be read, and there is no backpressure.
    expect(await fetchMessages(logs)).toHaveLength(10);
    expect(logs.append(owner, 'web', 'stdout', ['x'.repeat(3 * 1024 * 1024)])).toBeUndefined();
    expect(seen).toHaveLength(10);
    expect(failures).toHaveLength(1);
    disk.empty();
    await waitFor(() => {
      expect(seen).toHaveLength(9001);
    });
    expect(await fetchMessages(logs)).toEqual(seen);
    expect(seen.slice(0, 9000).map(({ logLine }) => logLine)).toEqual(numbered(0, 9000));
    expect(seen.map(({ id }) => id)).toEqual(seen.map((_, index) => index + 1));
  });

  it('lines are delivered later to a subscriber of that time, which cannot fetch them', async () => {
    await using open = await openLogs();
    const { logs } = open;
    follow(logs);
    const disk = fill(open.file);
    void logs.append(owner, 'web', 'stdout', ['refused '.repeat(20)]);
    await logs.flush();
    const seen = follow(logs);
    expect(await fetchMessages(logs)).toEqual([]);
    void logs.append(owner, 'web', 'stdout', ['later '.repeat(20)]);
    disk.empty();
    await waitFor(() => {
      expect(seen.map(({ id }) => id)).toEqual([1, 2]);
    });
  });

  it('lines beyond the buffer are lost, which is logged', async () => {
    await using open = await openLogs();
    const { logs } = open;
    const disk = fill(open.file);
    void logs.append(owner, 'web', 'stdout', ['first']);
    await logs.flush();
    const long = 'y'.repeat(64 * 1024);
    for (let line = 0; line < 600; line += 1) void logs.append(owner, 'web', 'stdout', [long]);
    disk.empty();
    const all = await waitFor(async () => {
      const stored = await fetchMessages(logs);
      expect(stored.at(-1)?.stream).toBe('system');
      return stored;
    });
    const [, lost] = /^(\d+) lines were lost here/.exec(all.at(-1)?.logLine ?? '') ?? [];
    expect(Number(lost)).toBeGreaterThan(50);
    // One answer can't have all of them.
    const [{ id: first } = { id: 0 }] = all;
    expect((all.at(-1)?.id ?? 0) + Number(lost)).toBe(602);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => first + index));
  });
});

it('forgets a source after its last line, whose place the next host does not have', async () => {
  await using opened = await openLogs();
  for (const source of ['gone', 'present']) {
    const lines = [{ line: source, at: '2030-01-01T00:00:00.000000001Z' }];
    void opened.logs.appendTimed(owner, 'web', 'stdout', lines, { source });
  }
  opened.logs.forget(['gone']);
  await opened.again();
  expect([...opened.logs.cursors.keys()]).toEqual(['present']);
});

it('applies backpressure when lines arrive faster than they are written', async () => {
  await using open = await openLogs();
  const { logs } = open;
  const long = 'z'.repeat(60 * 1024);
  let room: Promise<void> | undefined;
  let lines = 0;
  while (room === undefined) {
    room = logs.append(owner, 'web', 'stdout', [long]);
    lines += 1;
  }
  expect(lines).toBeLessThan(100);
  await room;
  expect(logs.append(owner, 'web', 'stdout', ['more'])).toBeUndefined();
  expect(await fetchMessages(logs)).toHaveLength(lines + 1);
});

/** Makes the disk full until `empty` is called. */
function fill(file: string) {
  writeFileSync(`${file}.full`, '');
  return {
    empty() {
      rmSync(`${file}.full`);
    },
  };
}
