/** A range of `count` ids from `start` on. */
export interface IdRange {
  readonly start: number;
  readonly count: number;
}

/** Number of user ids in a block; a host assigns one of them to each deployment. */
export const blockSize = 65_536;

/**
 * Ranges of blocks, in order of preference. The first is unassigned in "Users, Groups, UIDs and
 * GIDs on systemd Systems". The user namespace of a container often maps only low ids, so the
 * second begins after the 16-bit ids.
 */
const candidates: readonly IdRange[] = [
  { start: 0x7000_0000, count: 0x0ff0_0000 },
  { start: 0x0001_0000, count: 0x0007_0000 },
];

/** The user and group ids in use on a machine. */
export interface KnownIds {
  /** Ids of accounts, subordinate ranges, other hosts and processes. */
  readonly taken: readonly IdRange[];
  /** Ids that exist in this process's user namespace, for users and for groups. */
  readonly mapped: readonly (readonly IdRange[])[];
}

/** Returns the first id of a free block; undefined when none is free. */
export function freeBlock({ taken, mapped }: KnownIds): number | undefined {
  for (const { start, count } of candidates) {
    for (let block = start; block + blockSize <= start + count; block += blockSize) {
      if (isFree(block, { taken, mapped })) return block;
    }
  }
  return undefined;
}

/** Returns true when every id of the block at `start` is mapped and not taken. */
export function isFree(start: number, { taken, mapped }: KnownIds): boolean {
  const end = start + blockSize;
  return (
    taken.every((range) => range.start >= end || range.start + range.count <= start) &&
    mapped.every((ranges) => isCovered(start, end, ranges))
  );
}

function isCovered(start: number, end: number, ranges: readonly IdRange[]): boolean {
  let coveredTo = start;
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    if (range.start > coveredTo) break;
    coveredTo = Math.max(coveredTo, range.start + range.count);
  }
  return coveredTo >= end;
}

/** Parses /etc/passwd or /etc/group: the third field of each line is an id. */
export function accountIds(text: string): readonly IdRange[] {
  return fieldsOf(text, ':').flatMap(([, , id]) => rangeOf(id, '1'));
}

/** Parses /etc/subuid or /etc/subgid: `name:start:count` (subuid(5)). */
export function subordinateIds(text: string): readonly IdRange[] {
  return fieldsOf(text, ':').flatMap(([, start, count]) => rangeOf(start, count));
}

/** Parses /proc/self/uid_map or gid_map: `inside outside count` (user_namespaces(7)). */
export function mappedIds(text: string): readonly IdRange[] {
  return fieldsOf(text, /\s+/).flatMap(([inside, , count]) => rangeOf(inside, count));
}

function fieldsOf(text: string, separator: string | RegExp): readonly (readonly string[])[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(separator));
}

function rangeOf(start: string | undefined, count: string | undefined): readonly IdRange[] {
  const range = { start: wholeNumber(start), count: wholeNumber(count) };
  return Number.isNaN(range.start) || !(range.count > 0) ? [] : [range];
}

function wholeNumber(text = ''): number {
  return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
}
