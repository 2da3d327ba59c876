import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import type { LogRun } from '../../../source/host/logs/run.ts';
import { fastFolder } from '../../support/fast-folder.ts';

/** Creates a folder for a log's database, which is removed at the end of the block. */
export function logFolder() {
  const folder = mkdtempSync(path.join(fastFolder, 'hostdeck-logs-'));
  return {
    file: path.join(folder, 'logs.db'),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lines of a run without a deployment and ids. */
export interface LineGroup {
  readonly service: string;
  readonly stream: string;
  readonly instance?: number | undefined;
  readonly at: number;
  /** True for a single line that was cut. */
  readonly partial?: true | undefined;
  readonly lines: readonly string[];
}

/** Lines that are hard to search: case beyond ASCII, NUL, wildcards, quotes. */
export const anyLine: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'A', 'b', 'B', 'k', '\u212a', 'ä', 'Ä', 'ß', 'Σ', 'σ', 'ς', 'İ', 'i'),
      fc.constantFrom('%', '_', '\\', '"', '\0', '\t', '\x1b', ' ', '日', '🙂', '\ufffd'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

const groupFields = {
  service: fc.constantFrom('web', 'job', 'Größe'),
  stream: fc.constantFrom('stdout', 'stderr', 'system'),
  instance: fc.option(fc.nat(3), { nil: undefined }),
  at: fc.nat(2e12),
};

export const anyLineGroup: fc.Arbitrary<LineGroup> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...groupFields,
      lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...groupFields,
      lines: fc.tuple(anyLine),
      partial: fc.constant(true as const),
    }),
  },
);

/** Returns the lines as runs of one deployment, with ids after `last`. */
export function toRuns(deployment: number, all: readonly LineGroup[], last = 0): readonly LogRun[] {
  let next = last + 1;
  return all.map(({ lines, ...described }) => {
    const run = {
      deployment,
      first: next,
      count: lines.length,
      ...described,
      text: lines.join('\n'),
    };
    next += lines.length;
    return run;
  });
}

/** Returns the messages of all lines, oldest first. */
export function messagesOf(deploymentId: string, all: readonly LineGroup[]) {
  return all
    .flatMap(({ lines, ...described }) => lines.map((line) => ({ ...described, line })))
    .map(({ service, stream, instance, at, partial, line }, index) => ({
      type: 'log',
      id: index + 1,
      deploymentId,
      serviceName: service,
      timestamp: new Date(at).toISOString(),
      logLine: line,
      stream,
      instance,
      partial,
    }));
}
