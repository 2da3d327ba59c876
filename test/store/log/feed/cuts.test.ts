import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it, type TestContext } from 'vitest';
import { createClient } from '../../../../source/client/client.ts';
import type { LogsClient } from '../../../../source/client/logs.ts';
import type { Deployment } from '../../../../source/contract/deployments.ts';
import type { LogId } from '../../../../source/contract/logs.ts';
import { exitCodes } from '../../../../source/commands/exit-codes.ts';
import { comparePlaces } from '../../../../source/tail/arena/place.ts';
import { fastClock } from '../../../support/fast-clock.ts';
import { nodeService, sdlOf, temporaryHost } from '../../../host/support/temporary-host.ts';
import { type RunningLogs, startLogs } from '../../../commands/logs/run-logs.ts';
import { startCuttingProxy } from '../../../servers/cutting-proxy.ts';
import { type ForeignOptions, startForeign } from '../../../servers/foreign.ts';
import { waitFor } from '../../../support/wait-for.ts';

const cuts = 30;

/** Returns a generator of numbers in [0, 1) that repeats in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Following {
  readonly baseUrl: string;
  readonly token: string;
  readonly id: string;
  readonly service?: string;
  /** Factor by which the clock runs faster. */
  readonly speed: number;
}

function follow(
  { onTestFinished }: TestContext,
  { baseUrl, token, speed, ...what }: Following,
): RunningLogs {
  const client = createClient({ baseUrl, token, limits: { retries: 0 } });
  const clock = fastClock(speed);
  const random = createRandom(7);
  const running = startLogs({
    client,
    clock,
    random,
    follow: true,
    json: true,
    limit: 50,
    historyTimeout: Number.POSITIVE_INFINITY,
    ...what,
  });
  onTestFinished(async () => {
    running.interrupt();
    await running.exit;
    await client.close();
  });
  return running;
}

interface Message {
  readonly id: number | null;
  readonly logLine: string;
}

function messages(running: RunningLogs): readonly Message[] {
  return running.lines().map((line) => JSON.parse(line) as Message);
}

function lastId(running: RunningLogs): number {
  return (JSON.parse(running.lines().at(-1) ?? '{"id":0}') as { readonly id: number }).id;
}

function gaps(running: RunningLogs): readonly string[] {
  return running.notes().filter((note) => note.startsWith('Gap'));
}

/**
 * Returns the number of lines that do not follow the one before them in the record. Lines of which
 * others have the text tell no place.
 */
function breaks(texts: readonly string[], record: readonly string[]): number {
  let count = 0;
  let next: number | undefined;
  for (const text of texts) {
    const isNext = next !== undefined && record[next] === text;
    if (next !== undefined && !isNext) count += 1;
    const place: number | undefined = isNext ? next : placeOf(text, record);
    next = place === undefined ? undefined : place + 1;
  }
  return count;
}

function placeOf(text: string, record: readonly string[]): number | undefined {
  const place = record.indexOf(text);
  return record.indexOf(text, place + 1) < 0 ? place : undefined;
}

/** Waits for the next millisecond: lines without ids are ordered by their times alone. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await sleep(1);
}

/** Returns the ids of all lines of our host in order, without those that pages repeat. */
async function recordOf(logs: LogsClient, id: string, service: string | undefined) {
  const ids = new Set<LogId>();
  for (let offset = 0; ; offset += 1000) {
    const page = await logs.fetch(id, { limit: 1000, offset, service });
    if (!page.ok || page.value.lines.length === 0) return [...ids].toSorted(comparePlaces);
    for (const { value } of page.value.lines) if (typeof value.id === 'number') ids.add(value.id);
  }
}

const strangers: readonly (readonly [string, Partial<ForeignOptions>])[] = [
  ['oldest first, with holes in the ids', { logOrder: 'oldest', logIds: 'holes' }],
  ['newest first, with ids above 2^53', { logOrder: 'newest', logIds: 'huge' }],
  ['oldest first, without ids', { logOrder: 'oldest', logIds: 'none' }],
  ['oldest first, as bare text', { logOrder: 'oldest', logIds: 'text', logLines: 'strings' }],
  ['newest first, without ids', { logOrder: 'newest', logIds: 'none' }],
];

describe('logs over an unreliable network', () => {
  it.concurrent.for(strangers)(
    'print every line once and in order, or say where not: %s',
    { timeout: 120_000 },
    async ([, options], context) => {
      const { expect, onTestFinished } = context;
      const foreign = await startForeign({ largestLogPage: 60, ...options });
      onTestFinished(() => foreign.close());
      const proxy = await startCuttingProxy(foreign.baseUrl);
      onTestFinished(() => proxy.close());
      const random = createRandom(options.logOrder === 'oldest' ? 11 : 12);
      const { sample, token } = foreign;
      const written: string[] = [];
      const write = async (most: number): Promise<void> => {
        await nextMillisecond();
        for (let left = Math.floor(random() * most); left > 0; left -= 1) {
          // Every third line repeats an earlier text.
          const text = written.length % 3 === 2 ? 'GET /health 200' : `line ${written.length}`;
          foreign.append(sample, 'web', text);
          written.push(text);
        }
      };
      while (written.length < 120) {
        await write(15);
      }
      const running = follow(context, {
        baseUrl: proxy.baseUrl,
        token,
        id: sample,
        speed: 200,
      });
      await waitFor(() => expect(running.lines().length).toBeGreaterThanOrEqual(50));
      for (let cut = 0; cut < cuts; cut += 1) {
        if (random() < 0.8) await waitFor(() => expect(foreign.streams()).toBe(1));
        const upgrades = foreign.streams() === 1 ? proxy.upgrades() : 0;
        await write(15);
        if (random() < 0.1) {
          await proxy.away();
          // On an idle machine, forty lines have one time.
          await write(40);
          await write(58);
          await proxy.back();
        } else if (random() < 0.3) foreign.cutStreams();
        else proxy.cut();
        await write(15);
        if (random() < 0.8) {
          await waitFor(() => expect(proxy.upgrades()).toBeGreaterThan(upgrades));
        }
        await write(4);
      }
      foreign.append(sample, 'web', 'the end');
      written.push('the end');
      await waitFor(() => expect(running.lines().at(-1)).toContain('"the end"'));
      const texts = messages(running).map(({ logLine }) => logLine);
      // Without ids, a note tells of each place where lines may be missing or written twice.
      if (options.logIds === 'none' || options.logLines === 'strings')
        expect(breaks(texts, written)).toBeLessThanOrEqual(gaps(running).length);
      else {
        expect(texts).toEqual(written.slice(-texts.length));
        expect(gaps(running)).toEqual([]);
      }
      running.interrupt();
      expect(await running.exit).toBe(exitCodes.interrupted);
      expect(running.rest()).toBe('');
    },
  );

  it.concurrent('print every line exactly once: our own host', {
    timeout: 120_000,
  }, async (context) => {
    const { expect, onTestFinished } = context;
    const temporary = await temporaryHost();
    onTestFinished(() => temporary.remove());
    const caller = temporary.as('cosmos1tail');
    const { token } = caller;
    const chatty = (word: string) =>
      nodeService(
        `let n = 0; setInterval(() => { for (let i = n++ % 4; i > 0; i -= 1) console.log('${word}', n, i) }, 2)`,
      );
    const sdl = sdlOf({ web: chatty('web'), worker: chatty('worker') }, 'chatty');
    const created = await caller.call('createDeployment', { json: { sdl } });
    const { id } = (created.body as { readonly deployment: Deployment }).deployment;
    const proxy = await startCuttingProxy(temporary.host.baseUrl);
    onTestFinished(() => proxy.close());
    const { baseUrl } = proxy;
    // Slow enough for the host to restart before a gap is given up.
    const speed = 20;
    const all = follow(context, { baseUrl, token, id, speed });
    const filtered = follow(context, { baseUrl, token, id, service: 'web', speed });
    await waitFor(() => expect(filtered.lines().length).toBeGreaterThan(10));
    const random = createRandom(5);
    for (let cut = 0; cut < cuts; cut += 1) {
      const lines = all.lines().length;
      if (cut % 20 === 10) {
        await temporary.again();
        proxy.lead(temporary.host.baseUrl);
      }
      proxy.cut();
      if (random() < 0.8) {
        await waitFor(() => expect(all.lines().length).toBeGreaterThan(lines));
      }
      if (random() < 0.5) await nextMillisecond();
    }
    await caller.call('closeDeployment', { id });
    const client = createClient({ baseUrl: temporary.host.baseUrl, token });
    onTestFinished(() => client.close());
    for (const { running, service } of [
      { running: all, service: undefined },
      { running: filtered, service: 'web' },
    ]) {
      const record = await recordOf(client.logs, id, service);
      const last = Number(record.at(-1));
      await waitFor(() => expect(lastId(running)).toBeGreaterThanOrEqual(last));
      const ids = messages(running).flatMap((message) =>
        message.id !== null && message.id <= last ? [message.id] : [],
      );
      expect(ids.length).toBeGreaterThan(200);
      expect(ids).toEqual(record.slice(-ids.length));
      expect(gaps(running)).toEqual([]);
    }
  });
});
