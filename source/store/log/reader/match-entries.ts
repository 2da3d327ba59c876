import type { LogLine } from '../../../contract/logs.ts';
import type { Entry } from '../../../tail/arena/entries.ts';
import type { LineMatcher } from '../../../tail/query/log-query.ts';
import type { DeploymentNames } from '../../../tail/query/query-terms.ts';
import type { Guard } from '../../time/clock.ts';

/** Returns the names of the deployment of a line. @param member its number in a joined log. */
export type NamesOf = (member: number | undefined) => DeploymentNames;

/** Milliseconds to test all entries. */
const timeLimit = 40;

/** Returns the lines among a few thousand entries that match; none when the test takes too long. */
export function matchEntries(
  entries: readonly Entry<LogLine>[],
  test: LineMatcher,
  guard: Guard,
  namesOf?: NamesOf,
): ReadonlySet<Entry<LogLine>> {
  const work = () => new Set(entries.filter((entry) => matchesEntry(entry, test, namesOf)));
  if (test.isCheap) return work();
  const run = guard(work, timeLimit);
  return run.ok ? run.value : new Set();
}

function matchesEntry(entry: Entry<LogLine>, test: LineMatcher, namesOf?: NamesOf): boolean {
  if (entry.kind === 'gap') return false;
  const { logLine, serviceName } = entry.line;
  if (test.mayMatch?.(logLine) === false) return false;
  const names = test.readsDeployment === true ? namesOf?.(entry.member) : undefined;
  return test.matches(logLine, serviceName, names);
}
