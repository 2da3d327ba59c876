/** A line of the log, or a gap, that Details show in full, with the stack trace around it. */
import type { LogLine } from '../../contract/logs.ts';
import type { MainView } from '../../store/deck/screen/main-view.ts';
import { type Trace, traceAround } from '../../store/log/code/trace-lines.ts';
import type { Tail } from '../../store/log/tail.ts';
import type { Entries, Entry } from '../../tail/arena/entries.ts';

export type LineSubject = Extract<MainView, { kind: 'line' }>;

/** Returns what Details show of an entry. @param deploymentId of the opened log. */
export function lineSubject(
  { log }: Pick<Tail, 'log'>,
  entry: Entry<LogLine>,
  deploymentId: string,
): LineSubject {
  return {
    kind: 'line',
    entry: copyEntry(entry),
    deploymentId,
    trace: traceOf(log.entries, entry),
  };
}

/** Copies an entry, because the line of a log may refer to memory that is reused. */
function copyEntry(entry: Entry<LogLine>): Entry<LogLine> {
  if (entry.kind === 'gap') return entry;
  const { id, deploymentId, serviceName, timestamp, logLine, stream, instance } = entry.line;
  return {
    ...entry,
    line: { id, deploymentId, serviceName, timestamp, logLine, stream, instance },
  };
}

/** Most entries on either side that are looked through for lines of the same service. */
const mostEntries = 400;

/** Returns the trace around a line; a filter may hide a part of it. */
function traceOf(entries: Entries<LogLine>, entry: Entry<LogLine>): Trace | undefined {
  if (entry.kind === 'gap') return undefined;
  const { line, member } = entry;
  const index = entries.indexOf(entry.seq);
  // A line that memory has dropped has other neighbours now.
  if (entries.at(index)?.seq !== entry.seq) return { lines: [line.logLine], at: 0 };
  function* neighbours(step: 1 | -1) {
    for (let distance = 1; distance <= mostEntries; distance += 1) {
      const next = entries.at(index + step * distance);
      if (next?.kind !== 'line') return;
      const isSame =
        next.member === member &&
        next.line.serviceName === line.serviceName &&
        next.line.instance === line.instance;
      if (isSame) yield next.line.logLine;
    }
  }
  return traceAround(line.logLine, neighbours(-1), neighbours(1));
}
