/** The plain evaluator: compares what is shown with what the service has. */
import { type ModelRun, runModel } from './model-run.ts';
import {
  compareLines,
  type ModelLine,
  type ModelService,
  type ServiceShape,
} from './model-service.ts';
import { numberedShape } from './shapes.ts';

type Shown = ModelLine | { readonly row: string };

/** Returns the lines and rows that are shown. */
export function shownOf({ sequence, service }: ModelRun): readonly Shown[] {
  return sequence.slice(0, sequence.length).map((entry): Shown => {
    if (entry.kind === 'gap')
      return { row: entry.state.kind === 'filling' ? 'filling' : entry.state.why };
    const line = service.all[Number(entry.line.stream)];
    if (line === undefined) throw new Error('a line that nobody wrote');
    return line;
  });
}

/** Lines that differ from the held ones with their ids, and change nothing (rule 2). */
const mostDiffering = 2;

/**
 * Returns the lines and rows that are shown, with the lines of the service in place of held ones of other
 * numberings with the same ids: rule 2 takes one or two of them for copies that differ.
 */
function withDiffering(run: ModelRun): readonly Shown[] {
  let shown = shownOf(run);
  const numbers = new Set(shown.map((each) => ('row' in each ? undefined : each.number)));
  const missing = run.service.kept.filter(({ number }) => !numbers.has(number));
  let left = mostDiffering;
  for (const [index, held] of shown.entries()) {
    if ('row' in held || left === 0) continue;
    const line = missing.find(({ id, epoch }) => id === held.id && epoch !== held.epoch);
    if (line === undefined || shown.includes(line)) continue;
    const others = [shown[index - 1], shown[index + 1]].filter((each) => each && 'id' in each);
    const isLost = run.service.lost.has(held.number);
    if (!isLost && !others.some((each) => (each as ModelLine).epoch === line.epoch)) continue;
    shown = shown.with(index, line);
    left -= 1;
  }
  return shown;
}

/** Returns what is wrong with a numbered log, once settled; undefined when nothing is. */
export function wrongInNumbered(run: ModelRun): string | undefined {
  const shown = withDiffering(run);
  const { service, log } = run;
  const isByTime = service.shape.listedBy === 'time';
  const wrong = (what: string): string => `${what}: ${describe(run, shown)}`;
  if (log.labels.includes('unnumbered'))
    return isByTime || service.epoch > 0 ? wrongInUnnumbered(run) : wrong('taken for unnumbered');
  if (log.labels.includes('by-time') && !isByTime) return wrong('taken for listed by time');
  const lines = shown.filter((each) => !('row' in each)) as readonly ModelLine[];
  const numbers = new Set(lines.map(({ number }) => number));
  if (numbers.size < lines.length) return wrong('lines twice');
  const misplaced = firstMisplaced(run, shown, lines);
  if (misplaced !== undefined) return wrong(`line ${misplaced.number} is out of order`);
  if (shown.some((each) => 'row' in each && each.row === 'filling')) return wrong('still filling');
  const missing = service.kept.filter(({ number }) => !numbers.has(number)).sort(compareLines);
  const [first] = lines;
  const ranges = rangesOf(shown);
  for (const line of missing) {
    const isOlder = first !== undefined && compareLines(line, first) < 0;
    if (isOlder && !log.isComplete) continue;
    const range = ranges.find(
      ({ after, until }) =>
        (after === undefined || compareLines(after, line) < 0) &&
        (until === undefined || compareLines(line, until) < 0),
    );
    // Pages that show no line out of order don't tell by what the service lists them.
    if (isByTime && (log.labels.includes('by-time') || !run.hasShownDisorder)) continue;
    // Only a page tells, where ids have holes, of a frame that the stream left out.
    const { ids, refusedFrom } = service.shape;
    const isUnread =
      service.epoch > 0 && shown.some((each) => 'row' in each && each.row === 'unanswered');
    const isHidden = ids === 'holes' && (service.kept.length > refusedFrom || isUnread);
    if (isHidden || (range?.until === undefined && isOutOfReach(service, line))) continue;
    if (range === undefined || range.rows.length === 0)
      return wrong(`line ${line.number} is missing without a row`);
  }
  return isByTime ? undefined : wrongRows(run, shown, numbers, wrong);
}

/** Returns the first line that stands before one that it follows. */
function firstMisplaced(
  { service }: ModelRun,
  shown: readonly Shown[],
  lines: readonly ModelLine[],
): ModelLine | undefined {
  const isByTime = service.shape.listedBy === 'time';
  let kept: ModelLine | undefined;
  const behindRows = new Set(
    shown.filter((_, index) => 'row' in (shown[index - 1] ?? { row: '' })),
  );
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const isBehindRow = behindRows.has(line);
    // Nothing tells lines of a clock that stepped back from a new numbering.
    if (before === undefined || (isByTime && isBehindRow)) continue;
    // Ids alone tell where lines were that a restored backup lacks.
    const isLost = [before, line].some(({ number }) => service.lost.has(number));
    if (isLost && !isBehindRow && line.id < before.id) return line;
    if (!isLost && compareLines(before, line) >= 0) return line;
    if (service.lost.has(line.number)) continue;
    if (kept !== undefined && !isByTime && compareLines(kept, line) >= 0) return line;
    kept = line;
  }
  return undefined;
}

/** Returns whether no page shows a line, because the service refuses its offset. */
function isOutOfReach({ shape, kept }: ModelService, line: ModelLine): boolean {
  const index = kept.indexOf(line);
  const offset = shape.offsets === 'oldest' ? index : kept.length - 1 - index;
  return offset >= shape.refusedFrom;
}

interface RowRange {
  readonly after: ModelLine | undefined;
  readonly until: ModelLine | undefined;
  readonly rows: readonly string[];
}

/** Returns the places between shown lines, with the rows there. */
function rangesOf(shown: readonly Shown[]): readonly RowRange[] {
  const ranges: RowRange[] = [];
  let after: ModelLine | undefined;
  let rows: string[] = [];
  for (const each of shown) {
    if ('row' in each) rows.push(each.row);
    else {
      ranges.push({ after, until: each, rows });
      after = each;
      rows = [];
    }
  }
  return [...ranges, { after, until: undefined, rows }];
}

function wrongRows(
  run: ModelRun,
  shown: readonly Shown[],
  numbers: ReadonlySet<number>,
  wrong: (what: string) => string,
): string | undefined {
  for (const { after, until, rows } of rangesOf(shown)) {
    if (after === undefined || until === undefined) continue;
    const isBegun = after.epoch !== until.epoch || run.service.lost.has(after.number);
    // Nothing tells lines after a backup was restored from the next ones, unless ids come again.
    const isSeen = run.service.shape.restarts !== 'backup' || until.id <= after.id;
    if (isBegun && isSeen && rows.length === 0) return wrong(`no row before line ${until.number}`);
    if (rows.includes('renumbered') && !isBegun) return wrong(`"begin again" at ${until.number}`);
    if (rows.length === 0 || isBegun) continue;
    const hasMissing = run.service.all.some(
      (line) =>
        !numbers.has(line.number) && compareLines(after, line) < 0 && compareLines(line, until) < 0,
    );
    // Lines that retention or a restored backup took can't confirm the end of a stream that was cut.
    const isTaken =
      run.service.lost.has(until.number) || compareLines(until, run.service.kept[0] ?? until) <= 0;
    // Nothing tells whether the stream left lines out where ids have holes and no page reaches.
    const isUncertain = rows.every((row) => row === 'unanswered');
    const isUntold = isUncertain && run.service.shape.ids === 'holes';
    if (isUntold && isOutOfReach(run.service, until)) continue;
    // No page joins numberings that nothing was seen of.
    if (run.service.epoch > 0 && rows.every((row) => row === 'unanswered')) continue;
    if (!hasMissing && !isTaken)
      return wrong(`row "${rows.join(', ')}" at ${until.number} is false`);
  }
  return undefined;
}

/** Returns what is wrong with an unnumbered log: lost lines and doubles without a row. */
export function wrongInUnnumbered(run: ModelRun): string | undefined {
  const shown = shownOf(run);
  const { kept, shape } = run.service;
  const isLabelled = run.log.labels.includes('unnumbered');
  // A single service that numbers for itself numbers the log.
  if (shape.ids === 'per-service' && shape.services === 1 && !isLabelled)
    return wrongInNumbered(run);
  const wrong = (what: string): string => `${what}: ${describe(run, shown)}`;
  if (shown.some((each) => 'row' in each && each.row === 'filling')) return wrong('still filling');
  const lines = shown.filter((each) => !('row' in each)) as readonly ModelLine[];
  const [first, last] = [lines[0], lines.at(-1)];
  const { isDirected } = run.log.pages.offsets;
  const isInOrder = shape.swaps + shape.doubles + shape.losses + shape.late === 0;
  let before: ModelLine | undefined;
  for (const each of shown) {
    if ('row' in each) {
      if (each === shown.at(-1)) return wrong('a row ends the log');
      before = undefined;
      continue;
    }
    // Lines stand as the service lists them while nothing tells the direction of pages.
    const isTurned = before !== undefined && !isDirected && isNext(each, before, run);
    if (before !== undefined && !isTurned && !isNext(before, each, run))
      return wrong(`line ${each.number} does not follow ${before.number}`);
    before = each;
  }
  const ends = [kept.at(-1), run.service.listing().at(-1)];
  const isEnd =
    last === undefined || ends.some((line) => line !== undefined && isAlike(line, last, shape));
  if (isInOrder && !isEnd) return wrong('the end is missing');
  const [oldest] = kept;
  const isOldest = first !== undefined && oldest !== undefined && first.number <= oldest.number;
  const isWhole = isOldest || first === run.service.listing()[0];
  const isClaimed = isInOrder && isDirected && run.log.isComplete && oldest !== undefined;
  if (isClaimed && !isWhole) return wrong('the beginning is missing');
  return undefined;
}

/** Returns whether a line may follow another one: lines that look alike can't be told apart. */
function isNext(before: ModelLine, line: ModelLine, { service }: ModelRun): boolean {
  const { all, kept, shape } = service;
  // Nothing tells what a stream left out or sent twice, or what a page did not show yet.
  if (line.number === before.number + 1 || service.hasShown(before, line)) return true;
  // A backup lacks lines that were shown; a listing by time has them in another order.
  return [all, kept, service.listing()].some((record) =>
    record.some((each, index) => {
      const next = record[index + 1];
      return next !== undefined && isAlike(each, before, shape) && isAlike(next, line, shape);
    }),
  );
}

/** Returns whether two lines look alike in all fields that both HTTP and the stream show. */
function isAlike(left: ModelLine, right: ModelLine, { clocks, ids }: ServiceShape): boolean {
  const { http, stream } = clocks;
  const unit =
    http === undefined || stream === undefined
      ? Number.POSITIVE_INFINITY
      : 10 ** (3 - Math.min(3, http, stream));
  const timeOf = ({ time }: ModelLine): number =>
    unit === Number.POSITIVE_INFINITY ? 0 : Math.floor(time / unit);
  return (
    left.text === right.text &&
    left.service === right.service &&
    timeOf(left) === timeOf(right) &&
    (ids === 'none' || left.id === right.id)
  );
}

/** The numbers of the lines shown, in runs. */
function describe({ service, log, requests }: ModelRun, shown: readonly Shown[]): string {
  const parts: string[] = [];
  let from: ModelLine | undefined;
  let last: ModelLine | undefined;
  const flush = (): void => {
    if (from !== undefined && last !== undefined)
      parts.push(from === last ? `${from.number}` : `${from.number}..${last.number}`);
    from = undefined;
  };
  for (const each of shown) {
    if ('row' in each) {
      flush();
      parts.push(`[${each.row}]`);
      continue;
    }
    if (last !== undefined && (each.number !== last.number + 1 || from === undefined)) flush();
    if (from !== undefined && each.epoch !== from.epoch) flush();
    from ??= each;
    last = each;
  }
  flush();
  const epochs = service.all.flatMap(({ epoch, number }, at) =>
    epoch === service.all[at - 1]?.epoch ? [] : [number],
  );
  return `${parts.join(' ')} of ${service.all.length}, epochs at ${epochs.join(' ')}, kept from ${service.kept[0]?.number}, ${log.labels.join(' ')}, ${requests} requests`;
}

/** Runs a service of a seed's shape with one numbering, and returns what was wrong at its end. */
export function simulate(seed: number): string | undefined {
  try {
    const run = runModel(seed, (random) => ({ ...numberedShape(random), restarts: 'none' }));
    return wrongInNumbered(run);
  } catch (error) {
    return `seed ${seed}: ${String(error)}`;
  }
}
