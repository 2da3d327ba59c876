import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import type { LineMatcher } from '../../../tail/query/log-query.ts';
import type { Guard } from '../../time/clock.ts';

/** Milliseconds to test all entries. */
const timeLimit = 40;

/** Returns the lines among a few thousand entries that match; none when the test takes too long. */
export function matchEntries(
  entries: readonly Entry<LogLine>[],
  test: LineMatcher,
  guard: Guard,
): ReadonlySet<Entry<LogLine>> {
  const work = () => new Set(entries.filter((entry) => matchesEntry(entry, test)));
  if (test.isCheap) return work();
  const run = guard(work, timeLimit);
  return run.ok ? run.value : new Set();
}

function matchesEntry(entry: Entry<LogLine>, test: LineMatcher): boolean {
  if (entry.kind === 'gap') return false;
  const { logLine, serviceName } = entry.line;
  return test.mayMatch?.(logLine) !== false && test.matches(logLine, serviceName);
}
