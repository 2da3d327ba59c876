import { setTimeout as sleep } from 'node:timers/promises';
import { type ForeignOptions, startForeign } from '../servers/foreign.ts';
import { earlierLines, type WritingService, writtenLine } from './service.ts';

/** Ms between two portions of lines. */
const every = 4;

/**
 * Lines of one portion, after a pause of a busy machine as well: without ids, the order of lines in
 * an instant that is larger than a page is unknown.
 */
const mostAtOnce = 100;

/** Lines a second of those that it has when it is handed over. */
const earlierRate = 5000;

/** Lines that a service writes at most: one that repeats all would else send more than a busy machine reads. */
const mostLines = 200_000;

/** They write lines in turn. */
const services = ['worker', 'web', 'api'] as const;

/** A foreign service with a deployment of three services that write `rate` lines a second together. */
export async function startWritingForeign(
  rate: number,
  options: Partial<ForeignOptions>,
): Promise<WritingService> {
  const foreign = await startForeign({ largestLogPage: 500, ...options });
  const { sample } = foreign;
  const begun = performance.now();
  const first = Promise.withResolvers<undefined>();
  let written = 0;
  const write = (): void => {
    const seconds = (performance.now() - begun) / 1000;
    const isEarlier = written < earlierLines;
    const due = isEarlier
      ? Math.min(earlierLines, Math.floor(seconds * earlierRate))
      : earlierLines + Math.floor((seconds - earlierLines / earlierRate) * rate);
    const end = Math.min(due, written + mostAtOnce, mostLines);
    for (; written < end; written += 1) {
      const service = services[written % services.length] ?? 'web';
      foreign.append(sample, service, writtenLine('run-0', written + 1));
    }
    if (written >= earlierLines) first.resolve(undefined);
  };
  const writing = setInterval(write, every);
  // Not all at once: without ids, their times tell their order.
  await first.promise;
  return {
    baseUrl: foreign.baseUrl,
    token: foreign.token,
    deployment: sample,
    async fail(milliseconds, answered) {
      if (milliseconds % 2 === 0) {
        await answered();
        foreign.cutStreams();
      } else {
        await foreign.away();
        await sleep(milliseconds);
        await foreign.back();
      }
      return foreign.baseUrl;
    },
    async stop() {
      clearInterval(writing);
      foreign.append(sample, 'web', 'run-0 ends');
    },
    record: async () => foreign.lines(sample),
    faults: () => [],
    async [Symbol.asyncDispose]() {
      clearInterval(writing);
      await foreign.close();
    },
  };
}
