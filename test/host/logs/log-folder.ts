import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import type { LogRun } from '../../../source/host/logs/run.ts';

/** A folder for a log's database, gone at the end of the block. */
export function logFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-logs-'));
  return {
    file: path.join(folder, 'logs.db'),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Lines of a run before it has a place in a log. */
export interface SomeLines {
  readonly service: string;
  readonly stream: string;
  readonly instance?: number | undefined;
  readonly at: number;
  readonly lines: readonly string[];
}

/** Lines with what is hard to search for: case beyond ASCII, NUL, wildcards, quotes. */
export const someLine: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'A', 'b', 'B', 'k', '\u212a', 'ä', 'Ä', 'ß', 'Σ', 'σ', 'ς', 'İ', 'i'),
      fc.constantFrom('%', '_', '\\', '"', '\0', '\t', '\x1b', ' ', '日', '🙂', '\ufffd'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

export const someLines: fc.Arbitrary<SomeLines> = fc.record({
  service: fc.constantFrom('web', 'job', 'Größe'),
  stream: fc.constantFrom('stdout', 'stderr', 'system'),
  instance: fc.option(fc.nat(3), { nil: undefined }),
  at: fc.nat(2e12),
  lines: fc.array(someLine, { minLength: 1, maxLength: 6 }),
});

/** The lines as runs of one deployment, behind `last`. */
export function asRuns(deployment: number, all: readonly SomeLines[], last = 0): readonly LogRun[] {
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

/** The messages of all lines, oldest first. */
export function messagesOf(deploymentId: string, all: readonly SomeLines[]) {
  return all
    .flatMap(({ lines, ...described }) => lines.map((line) => ({ ...described, line })))
    .map(({ service, stream, instance, at, line }, index) => ({
      type: 'log',
      id: index + 1,
      deploymentId,
      serviceName: service,
      timestamp: new Date(at).toISOString(),
      logLine: line,
      stream,
      instance,
    }));
}
