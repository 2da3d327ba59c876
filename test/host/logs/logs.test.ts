import { expect, it } from 'vitest';
import { systemClock } from '../../../source/host/clock.ts';
import { HostLogs } from '../../../source/host/logs/logs.ts';
import { LogWriter } from '../../../source/host/logs/writer.ts';
import { logFolder } from './log-folder.ts';

const owner = { number: 7, id: 'deployment-7' };

/** Opens logs in a folder of their own. */
async function openLogs() {
  const folder = logFolder();
  const writer = await LogWriter.open({
    file: folder.file,
    limits: { maxLogBytes: 1e9, maxAllLogBytes: 1e9 },
    newestDeployment: 0,
    onFailure: (error) => expect.fail(String(error)),
  });
  const logs = new HostLogs({ writer, clock: systemClock, backlogBytes: 1e9 });
  return {
    logs,
    async [Symbol.asyncDispose]() {
      await logs.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Subscribes. Returns the ids of the received lines and a function that ends the subscription. */
function follow(logs: HostLogs) {
  const ids: number[] = [];
  const leave = logs.subscribe(owner, {
    send(frames) {
      const text = Buffer.from(frames).toString('latin1');
      for (const [, id] of text.matchAll(/"id":(\d+)/g)) ids.push(Number(id));
    },
    backlog: () => 0,
    drop: () => undefined,
    end: () => undefined,
  });
  return { ids, leave };
}

it('a subscriber gets only lines that are newer than its subscription, without a gap', async () => {
  await using open = await openLogs();
  const { logs } = open;
  const append = (line: string) => void logs.append(owner, 'web', 'stdout', [line]);
  /** Passes all lines to the worker, which answers no earlier than in the next turn. */
  const written: Promise<unknown>[] = [];
  const write = () => written.push(logs.fetch(owner, { limit: 1, offset: 0 }));
  const earlier = follow(logs);
  append('one');
  write();
  earlier.leave();
  // Nobody follows the log when this line is passed on, so that no frames are made of it.
  append('two');
  write();
  const later = follow(logs);
  append('three');
  await logs.flush();
  await Promise.all(written);
  expect(earlier.ids).toEqual([]);
  expect(later.ids).toEqual([3]);
});
