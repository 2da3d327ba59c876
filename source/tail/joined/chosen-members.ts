import type { Entries } from '../arena/entries.ts';

/**
 * Returns joined entries whose scans pass only the lines of some logs; all other operations see every
 * entry. Returns the entries of a single log themselves.
 *
 * @param members returns the numbers of these logs; undefined for all.
 */
export function scanMembers<Line>(
  entries: Entries<Line>,
  members: () => ReadonlySet<number> | undefined,
): Entries<Line> {
  const memberAt = entries.memberAt?.bind(entries);
  if (memberAt === undefined) return entries;
  return {
    get length() {
      return entries.length;
    },
    get epoch() {
      return entries.epoch;
    },
    get gaps() {
      return entries.gaps;
    },
    at: (index) => entries.at(index),
    seqAt: (index) => (entries.seqAt === undefined ? entries.at(index)?.seq : entries.seqAt(index)),
    memberAt,
    slice: (from, to) => entries.slice(from, to),
    indexOf: (seq) => entries.indexOf(seq),
    scan(from, to, visit, prefilter) {
      const chosen = members();
      if (chosen === undefined) return entries.scan(from, to, visit, prefilter);
      return entries.scan(
        from,
        to,
        (index, text, service) => {
          if (chosen.has(memberAt(index))) visit(index, text, service);
        },
        prefilter,
      );
    },
  };
}
