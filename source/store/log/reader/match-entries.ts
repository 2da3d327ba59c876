import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import type { LineTest } from '../../../tail/query/log-query.ts';
import type { Guard } from '../../time/clock.ts';

/** Milliseconds that it may take. */
const limit = 40;

/** The lines among some thousand entries that pass a test; none of them when it takes too long. */
export function matchEntries(
  entries: readonly Entry<LogLine>[],
  test: LineTest,
  guard: Guard,
): ReadonlySet<Entry<LogLine>> {
  const work = () => new Set(entries.filter((entry) => passes(entry, test)));
  if (test.isCheap) return work();
  const run = guard(work, limit);
  return run.ok ? run.value : new Set();
}

function passes(entry: Entry<LogLine>, test: LineTest): boolean {
  if (entry.kind === 'gap') return false;
  const { logLine, serviceName } = entry.line;
  return test.mayMatch?.(logLine) !== false && test.matches(logLine, serviceName);
}
