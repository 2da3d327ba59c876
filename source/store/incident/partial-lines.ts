/** Joins the parts of cut lines, so that no secret is split between two of them. */
import type { LogLine } from '../../contract/logs.ts';

/** Characters of the longest joined line. */
const longestLine = 1024 * 1024;

/** Returns lines with the parts of each cut line as one, at the place of the first part. */
export function joinPartialLines(lines: readonly LogLine[]): readonly LogLine[] {
  const joined: LogLine[] = [];
  /** Index of the line that goes on, by its source. */
  const open = new Map<string, number>();
  for (const line of lines) {
    const { partial, ...whole } = line;
    const source = `${line.serviceName ?? ''} ${line.instance ?? ''} ${line.stream ?? ''}`;
    const at = open.get(source);
    const before = at === undefined ? undefined : joined[at];
    const isJoined =
      before !== undefined && before.logLine.length + line.logLine.length <= longestLine;
    if (isJoined && at !== undefined) {
      joined[at] = { ...before, logLine: before.logLine + line.logLine };
    } else joined.push(whole);
    if (partial !== true) open.delete(source);
    else if (!isJoined) open.set(source, joined.length - 1);
  }
  return joined;
}
