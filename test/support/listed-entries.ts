import type { LogLine } from '../../source/contract/logs.ts';
import type { Entries, Entry } from '../../source/tail/arena/entries.ts';

/** Entries of these lines, with a `seq` ten times their number unless others are given. */
export function listedEntries(
  lines: readonly LogLine[],
  seqs: readonly number[] = lines.map((_, index) => index * 10),
): Entries<LogLine> {
  const all = lines.map((line, index): Entry<LogLine> => {
    const seq = seqs[index] ?? 0;
    return { kind: 'line', seq, place: seq, line };
  });
  return {
    length: all.length,
    epoch: 0,
    gaps: [],
    at: (index) => all[index],
    slice: (from, to) => all.slice(from, to),
    indexOf(seq) {
      const index = all.findIndex((entry) => entry.seq >= seq);
      return index === -1 ? all.length : index;
    },
    scan(from, to, see) {
      let characters = 0;
      for (const [index, entry] of all.entries()) {
        if (index < from || index >= to || entry.kind === 'gap') continue;
        characters += entry.line.logLine.length;
        see(index, entry.line.logLine, entry.line.serviceName);
      }
      return characters;
    },
  };
}
