import type { LogLine } from '../../../source/contract/logs.ts';
import type { Sequence } from '../../../source/tail/arena/sequence.ts';
import type { ServiceShape, SimulatedService } from './simulated-service.ts';

/** The lines shown of a service. */
interface Shown {
  readonly service: SimulatedService;
  readonly sequence: Sequence<LogLine>;
  /** Number of the oldest line that was shown at any time. */
  readonly oldestShown: number;
}

/** Returns what is wrong with what is shown, once settled; undefined when nothing is. */
export function wrongIn(run: Shown): string | undefined {
  const { sequence, service } = run;
  const { shape } = service;
  const entries = sequence.slice(0, sequence.length);
  const segments: LogLine[][] = [[]];
  for (const entry of entries) {
    if (entry.kind === 'line') segments.at(-1)?.push(entry.line);
    else if (entry.state.kind === 'filling') return 'a gap is being filled for ever';
    else segments.push([]);
  }
  const largest = largestInstant(service);
  const page = Math.min(shape.maxPage, 500);
  const isCrowded = largest >= page / 2;
  // A page holds an instant whole with one line more on both sides.
  const isLarger = largest > page - 2;
  const mayHaveGaps = shape.history === 'none' || shape.retention < service.all.length || isLarger;
  if (segments.length > 1 && !mayHaveGaps) return `${segments.length - 1} gaps: ${shown(run)}`;
  // Without the history of a line, nothing tells its order among the lines of one instant.
  // Of equal lines in one instant that no page holds, a gap says that there may be more.
  const isCounted = entries.every(
    (entry) =>
      entry.kind === 'line' || entry.state.kind !== 'missing' || entry.state.why !== 'equal',
  );
  const isReadable = isCounted && !isCrowded;
  // Swaps within the instants alone show in no line, and not every line is read again.
  const isTold = shape.swaps === 0 || service.hasShownSwap;
  const isOrdered =
    shape.isAppendOnly !== true &&
    shape.history !== 'none' &&
    shape.retention > 150 &&
    isReadable &&
    isTold;
  const record = service.record();
  const end = isOrdered ? endOfPieces(segments, record) : endOfGroups(segments, record, shape);
  if (typeof end === 'string') return `${end}: ${shown(run)}`;
  if (end !== record.length) return `the end is missing: ${shown(run)}`;
  const shownNumbers = segments.flat().map(({ stream }) => Number(stream));
  const first = shownNumbers.reduce((least, number) => Math.min(least, number), record.length);
  if (shape.equal === 0 && first > run.oldestShown) return `older lines were lost: ${shown(run)}`;
  return undefined;
}

/** Returns the most lines that the service wrote in one instant. */
function largestInstant({ all, shape }: SimulatedService): number {
  const size = shape.httpDigits === 0 || shape.streamDigits === 0 ? 1000 : 1;
  const counts = new Map<number, number>();
  for (const { time } of all) {
    const instant = Math.floor(time / size);
    counts.set(instant, (counts.get(instant) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}

function keyOf({ serviceName, logLine }: LogLine): string {
  return `${serviceName} ${logLine}`;
}

/** Returns where the last segment ends, when each is a piece of the record behind the one before. */
function endOfPieces(
  segments: readonly (readonly LogLine[])[],
  lines: readonly LogLine[],
): number | string {
  const record = lines.map(keyOf);
  let end = 0;
  for (const [index, segment] of segments.entries()) {
    const keys = segment.map(keyOf);
    const isLast = index === segments.length - 1;
    const at = placeIn(record, keys, isLast ? Math.max(end, record.length - keys.length) : end);
    if (at === undefined) return `segment ${index} differs`;
    end = at + keys.length;
  }
  return end;
}

/** A gap may begin so many lines above its row: a stream that breaks may have delivered them out of order. */
const reorderDepth = 32;

/** The same by the instants of the lines: an instant may begin and end a segment in part. */
function endOfGroups(
  segments: readonly (readonly LogLine[])[],
  lines: readonly LogLine[],
  { httpDigits, streamDigits }: ServiceShape,
): number | string {
  const digits = Math.min(httpDigits ?? 0, streamDigits ?? 0, 3);
  const length = 19 + (digits === 0 ? 0 : digits + 1);
  const groupsOf = (all: readonly LogLine[]) => {
    const groups = new Map<string, string[]>();
    for (const line of all) {
      const instant = (line.timestamp ?? '').replace('Z', '').slice(0, length);
      const keys = groups.get(instant);
      if (keys === undefined) groups.set(instant, [keyOf(line)]);
      else keys.push(keyOf(line));
    }
    return [...groups];
  };
  const record = groupsOf(lines);
  const places = new Map(record.map(([instant], place) => [instant, place]));
  const left = new Map(record.map(([instant, keys]) => [instant, [...keys]]));
  let last = -1;
  for (const [index, segment] of segments.entries()) {
    const groups = groupsOf(segment);
    for (const [at, [instant, keys]] of groups.entries()) {
      const place = places.get(instant) ?? -1;
      const isNext = at === 0 ? place >= last : place === last + 1;
      if (!isNext) return `segment ${index} is out of order at ${instant}`;
      last = place;
      const rest = left.get(instant) ?? [];
      for (const key of keys) {
        const found = rest.indexOf(key);
        if (found < 0) return `segment ${index} has too much at ${instant}`;
        rest.splice(found, 1);
      }
      const behind = groups.slice(at + 1).reduce((sum, [, other]) => sum + other.length, 0);
      const isInside = at > 0 && (behind > reorderDepth || index === segments.length - 1);
      if (isInside && rest.length > 0) return `segment ${index} lacks lines at ${instant}`;
    }
  }
  return last === record.length - 1 ? lines.length : last;
}

function placeIn(
  record: readonly string[],
  keys: readonly string[],
  least: number,
): number | undefined {
  for (let at = least; at + keys.length <= record.length; at += 1) {
    if (keys.every((key, index) => record[at + index] === key)) return at;
  }
  return undefined;
}

/** The numbers of the lines shown, in runs. */
function shown({ sequence, service }: Shown): string {
  const parts: string[] = [];
  let from: number | undefined;
  let next: number | undefined;
  const flush = (): void => {
    if (from !== undefined)
      parts.push(next === from + 1 ? `${from}` : `${from}..${(next ?? 0) - 1}`);
    from = undefined;
  };
  for (const entry of sequence.slice(0, sequence.length)) {
    const number = entry.kind === 'line' ? Number(entry.line.stream) : undefined;
    if (number === undefined || number !== next) flush();
    if (entry.kind === 'gap') parts.push(JSON.stringify(entry.state));
    from ??= number;
    next = number === undefined ? undefined : number + 1;
  }
  flush();
  return `${parts.join(' ')} of ${service.all.length}, oldest ${service.oldest}`;
}
