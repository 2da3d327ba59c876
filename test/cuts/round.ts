import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../source/client/client.ts';
import type { LogLine } from '../../source/contract/logs.ts';
import { FollowedLog } from '../../source/store/log/feed/followed-log.ts';
import { inTime } from '../support/bounded-wait.ts';
import { fastClock } from '../support/fast-clock.ts';
import { type CuttingProxy, startCuttingProxy } from '../servers/cutting-proxy.ts';
import { compareWithRecord, type Comparison } from './compare.ts';
import type { Cut, Step } from './plan.ts';
import { isUniqueLine, type WritingService } from './service.ts';

export interface RoundOptions {
  readonly service: WritingService;
  readonly plan: readonly Step[];
  /** Factor by which time passes faster than in a console: it divides all waits and limits. */
  readonly speed: number;
  /** In [0, 1): spreads the reconnects. */
  readonly random: () => number;
}

export interface RoundResult extends Comparison {
  /** Lines of a second in which the service wrote, by the times of its record: the median. */
  readonly rate: number;
  /** Cuts by kind. */
  readonly cuts: Readonly<Partial<Record<Cut['kind'], number>>>;
  readonly upgrades: number;
  /** Written lines that the service's own record lacks. */
  readonly faults: readonly string[];
}

/** A failure limit, not a delay, ms. */
const patience = 180_000;

/** Ms that a cut waits for the bytes after which it comes. */
const longestFuse = 2000;

/** Ms between the checks of live lines, and how many of them may pass until all is settled. */
const checkInterval = 5000;
const mostChecks = 24;

/** Lines of history to begin with. */
const history = 1000;

/** Follows a log as the console does through a network that breaks as planned. */
export async function runRound({
  service,
  plan,
  speed,
  random,
}: RoundOptions): Promise<RoundResult> {
  const proxy = await startCuttingProxy(service.baseUrl);
  const client = createClient({
    baseUrl: proxy.baseUrl,
    token: service.token,
    limits: limitsAt(speed),
  });
  const logs = new FollowedLog({
    client: client.logs,
    deploymentId: service.deployment,
    clock: fastClock(speed),
    random,
    initialLines: history,
  });
  try {
    await onceLogs(logs, 'the first history', () => logs.ready() && logs.entries.length > 0);
    for (const { wait, cut } of plan) await cutOnce({ service, proxy, speed }, wait, cut);
    await service.stop();
    const record = await service.record();
    const last = record.at(-1);
    await onceLogs(logs, 'the last line', () => isComplete(logs, last));
    const comparison = await settledComparison(logs, record, speed);
    return {
      ...comparison,
      rate: usualRate(record),
      cuts: countKinds(plan),
      upgrades: proxy.upgrades(),
      faults: service.faults(record),
    };
  } finally {
    logs.stop();
    await client.close();
    await proxy.close();
  }
}

/**
 * Compares the log with the record, again after each check as long as they differ: history settles
 * what the stream left in doubt.
 */
async function settledComparison(
  logs: FollowedLog,
  record: readonly LogLine[],
  speed: number,
): Promise<Comparison> {
  const end = performance.now() + patience;
  for (let check = 0; ; check += 1) {
    const entries = logs.entries.slice(0, logs.entries.length);
    const comparison = compareWithRecord(entries, record, isUniqueLine);
    const { lost, doubled, disordered, strange, gaps } = comparison;
    const isSame = lost + doubled + disordered + strange + gaps === 0;
    // A busy machine answers few checks in the time of many.
    if (isSame || (check >= mostChecks && performance.now() > end)) return comparison;
    await sleep(checkInterval / speed);
  }
}

interface Cutting {
  readonly service: WritingService;
  readonly proxy: CuttingProxy;
  readonly speed: number;
}

/** Breaks what there is, and waits until the stream has been asked for again. */
async function cutOnce({ service, proxy, speed }: Cutting, wait: number, cut: Cut): Promise<void> {
  if (wait > 0) await sleep(wait / speed);
  /** Cuts when the awaited bytes have passed, or when they do not come. */
  const breaking = async (broken: Promise<void>): Promise<void> => {
    await Promise.race([broken, sleep(longestFuse / speed)]);
    proxy.cut();
  };
  switch (cut.kind) {
    case 'cut':
      proxy.cut();
      break;
    case 'frame':
      await breaking(proxy.cutAfter('stream', cut.bytes));
      break;
    case 'handshake':
      proxy.cut();
      await breaking(proxy.cutAfter('stream', cut.bytes, true));
      break;
    case 'page':
      proxy.cut();
      await breaking(proxy.cutAfter('requests', cut.bytes));
      break;
    case 'silence':
      proxy.silence();
      break;
    case 'away':
      await proxy.away();
      await sleep(cut.milliseconds / speed);
      await proxy.back();
      break;
    case 'service':
      proxy.lead(await service.fail(cut.milliseconds, () => proxy.answered()));
      break;
  }
  await inTime(`the stream after ${cut.kind}`, proxy.nextUpgrade(), patience);
}

function isComplete(logs: FollowedLog, last: LogLine | undefined): boolean {
  const { entries } = logs;
  const newest = entries.at(entries.length - 1);
  if (newest?.kind !== 'line' || logs.settled() < entries.length) return false;
  return newest.line.id === last?.id && newest.line.logLine === last?.logLine;
}

/** The console's own limits are made for networks; here a silent one is to be noticed soon. */
function limitsAt(speed: number) {
  return {
    connectTimeout: 2000 / speed,
    answerTimeout: 2000 / speed,
    retryDelay: 250 / speed,
    streamSilence: 1000 / speed,
    pongTimeout: 500 / speed,
  };
}

/** Waits until it holds, looked at whenever there is something new to say about the log. */
async function onceLogs({ state }: FollowedLog, what: string, holds: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const look = (): void => {
    if (holds()) resolve(undefined);
  };
  const unsubscribe = state.subscribe(look);
  look();
  await inTime(what, promise, patience).finally(unsubscribe);
}

function countKinds(plan: readonly Step[]): RoundResult['cuts'] {
  const counts: Partial<Record<Cut['kind'], number>> = {};
  for (const { cut } of plan) counts[cut.kind] = (counts[cut.kind] ?? 0) + 1;
  return counts;
}

function usualRate(record: readonly LogLine[]): number {
  const counts = new Map<string, number>();
  for (const { timestamp = '' } of record) {
    const second = timestamp.slice(0, 19);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  const sorted = [...counts.values()].toSorted((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? 0;
}
