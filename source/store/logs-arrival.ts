import type { LogLine } from '../contract/logs.ts';

/**
 * Whether a live line is one of those that history was asked for: the stream carries every line of
 * the deployment. Text is looked for in any case, as our own host does.
 */
export function createLineFilter(
  service: string | undefined,
  search: string | undefined,
): (line: LogLine) => boolean {
  const text = search?.toLowerCase();
  return ({ serviceName, logLine }) =>
    (service === undefined || serviceName === service) &&
    (text === undefined || logLine.toLowerCase().includes(text));
}

/** Lines that are read from the socket together are handed on together. */
export interface LineBatches {
  add(line: LogLine): void;
  flush(): void;
}

export function createLineBatches(take: (lines: readonly LogLine[]) => void): LineBatches {
  let batch: LogLine[] = [];
  const flush = (): void => {
    if (batch.length === 0) return;
    const lines = batch;
    batch = [];
    take(lines);
  };
  return {
    add(line) {
      batch.push(line);
      if (batch.length === 1) queueMicrotask(flush);
    },
    flush,
  };
}
