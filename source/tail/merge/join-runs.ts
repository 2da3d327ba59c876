import { isTelling, meet, nearest, overlaps } from './overlap.ts';
import { type Place, shiftPlace } from '../arena/place.ts';
import type { PlacedRow, LogRow } from '../arena/row.ts';

/** The placement of a page's rows in the log. */
export interface Placement<Line> {
  readonly put: readonly PlacedRow<Line>[];
  /** Lines of the newer run that stand in the older one already, under other places. */
  readonly drop?: readonly [Place, Place];
  /** The stretch that is known without a gap now; undefined when the page joins nothing. */
  readonly covers?: readonly [Place, Place] | undefined;
  /** A row of the page and its place: where offsets can be counted from. */
  readonly anchor?: { readonly row: number; readonly place: Place };
  /** The page begins so many lines behind the line whose forerunners were asked for. */
  readonly inside?: number;
  /** Rows at its end have yet to come over the stream: until then it may fit by chance. */
  readonly early?: boolean;
  /** The newer run stands in the older one, up to a line that the stream has yet to send. */
  readonly passed?: { readonly to: Place; readonly next: Place | undefined };
  /** The runs fit together in more than one way. */
  readonly unclear?: boolean;
}

export const nothingPlaced: Placement<never> = { put: [] };

/** A run of known lines beside a page, as far as it can matter: its beginning or its end. */
export interface KnownRun<Line> {
  readonly rows: readonly LogRow<Line>[];
  readonly places: readonly Place[];
  readonly from: Place;
  readonly to: Place;
  /** More of its lines. */
  readonly longer?: () => KnownRun<Line>;
}

/** Whether its last line is among those at hand. */
function isWhole({ places, to }: KnownRun<unknown>): boolean {
  return places.at(-1) === to;
}

/** A page without ids, its rows oldest first, and how many of them must match to join a run. */
export interface Overlapping<Line> {
  readonly rows: readonly LogRow<Line>[];
  readonly need: number;
  /** The log begins with this page. */
  readonly begins: boolean;
  /** True when equal lines may be chance and more lines will decide. */
  readonly waits: boolean;
}

/** The run below a gap: its last lines, and more of them for when pages ran ahead of the stream. */
export interface Lower<Line> {
  readonly near: KnownRun<Line>;
  /**
   * The number of its last lines that the stream may send again; the others came before it began.
   */
  readonly ahead: number;
  /** Lines of the newer run from before the stream's first one. */
  readonly older: number;
  readonly far: () => KnownRun<Line>;
}

/**
 * The page holds the first line of `upper`, at index `expected` or before; whether it reaches down to
 * `lower` is to be seen.
 * @param most rows from that line on that can have come over the stream by now.
 */
export function beforeRun<Line>(
  { rows, need, begins, waits }: Overlapping<Line>,
  upper: KnownRun<Line>,
  expected: number,
  most: number,
  lower: Lower<Line> | undefined,
): Placement<Line> {
  // The page holds no line that has come since.
  const least = Math.min(need, Math.max(1, rows.length - expected));
  const found = overlaps(rows, upper.rows, least).filter((at) => at <= expected);
  const start = found.at(-1);
  if (start === undefined) return nothingPlaced;
  const tells = isTelling(rows, start, start + upper.rows.length);
  const isSure = found.length === 1 && (tells || start === expected);
  if (!isSure && waits) return { put: [], covers: [upper.from, upper.from], early: true };
  // It was asked for with fewer lines in common than another one would have.
  if (!isSure && rows.length - expected < Math.min(need, upper.rows.length)) return nothingPlaced;
  if (start < 0) {
    const place = upper.places[-start] ?? upper.from;
    return { put: [], inside: -start, anchor: { row: 0, place } };
  }
  const early = rows.length - start > most;
  // The newer run continues the page: the older one may end in either, or behind both.
  const window = [...rows.slice(0, start), ...upper.rows];
  const isBefore = ({ rows: { length } }: KnownRun<Line>, at: number): boolean =>
    lower === undefined || at + length - lower.ahead <= start + lower.older;
  const met =
    lower && meet(window, lower.near.rows, need, begins, (at) => isBefore(lower.near, at));
  if (lower !== undefined && met === undefined && !early && lower.ahead > 0) {
    const far = lower.far();
    const long = upper.longer?.() ?? upper;
    const all = [...rows.slice(0, start), ...long.rows];
    const ahead = overlaps(all, far.rows, need).filter(
      (at) =>
        at + far.rows.length > all.length &&
        all.length - Math.max(0, at) >= need &&
        isBefore(far, at),
    );
    const [at] = ahead;
    if (at !== undefined && ahead.length === 1 && isWhole(long)) {
      return passedBy(upper, far, all.length - at);
    }
  }
  const joins = lower !== undefined && met?.certain === true;
  if (joins && met.last >= start) {
    return {
      put: [],
      drop: [upper.from, upper.places[met.last - start] ?? upper.to],
      covers: [lower.near.to, upper.from],
      anchor: { row: met.last, place: lower.near.to },
      early,
    };
  }
  const put = fresh(rows, (met?.last ?? -1) + 1, start, upper.from, start);
  return {
    put,
    covers: [joins ? lower.near.to : (put[0]?.place ?? upper.from), upper.from],
    anchor: { row: start, place: upper.from },
    early,
    unclear: met?.certain === false,
  };
}

/** All lines of `upper` stand in `lower` as well, before the line at index `next`. */
function passedBy<Line>(
  upper: KnownRun<Line>,
  lower: KnownRun<Line>,
  next: number,
): Placement<Line> {
  return {
    put: [],
    drop: [upper.from, upper.to],
    passed: { to: lower.to, next: lower.places[next] },
  };
}

/**
 * The page holds the last line of `lower`, at index `expected` or before; whether it reaches up to
 * `upper` is to be seen.
 * @param ending lines of `upper` when the page ends the log, and so holds all of them.
 */
export function behindRun<Line>(
  { rows, need, waits }: Overlapping<Line>,
  { near: lower, ahead, older, far }: Lower<Line>,
  expected: number,
  upper: KnownRun<Line> | undefined,
  ending: number | undefined,
): Placement<Line> {
  const back = lower.rows.length - 1;
  const found = overlaps(rows, lower.rows, need).filter((at) => at + back >= 0);
  const at = nearest(found, expected - back);
  if (at === undefined || at + back >= rows.length) return nothingPlaced;
  const last = at + back;
  const anchor = { row: last, place: lower.to };
  // The page continues the older run: the newer one may begin in either.
  const window = [...lower.rows, ...rows.slice(last + 1)];
  const most = ending === undefined ? window.length : window.length - ending;
  const least = lower.rows.length - ahead - older;
  const fits =
    upper === undefined
      ? []
      : beginnings(window, upper.rows, need, most).filter((start) => start >= least);
  const fit = fits.at(-1);
  if (upper === undefined || fit === undefined) {
    const long = upper?.longer?.() ?? upper;
    const passed = long && ahead > 0 && passedFrom(long, far(), rows.slice(last + 1), need);
    if (passed) return passed;
    const put = fresh(rows, last + 1, rows.length, lower.to, last);
    return { put, covers: [lower.to, put.at(-1)?.place ?? lower.to], anchor };
  }
  const common = Math.min(upper.rows.length, window.length - fit);
  const tells = isTelling(window, fit, fit + upper.rows.length);
  const isExact = ending !== undefined && fit === most;
  const isSure = fits.length === 1 && (tells || isExact);
  if (!isSure && waits) return { put: [], covers: [lower.to, lower.to], early: true };
  const start = fit + last - back;
  // The visible part of the newer run must cover every line that both have.
  const isSeen = isWhole(upper) || last - start < upper.places.length;
  if ((!isSure && !isExact) || !isSeen) {
    const put = fresh(rows, last + 1, rows.length, lower.to, last);
    return { put, covers: [lower.to, put.at(-1)?.place ?? lower.to], anchor, unclear: true };
  }
  if (fit + upper.rows.length <= lower.rows.length && common >= need && isWhole(upper)) {
    return passedBy(upper, lower, fit + upper.rows.length);
  }
  const early = rows.length - start > upper.rows.length;
  if (start <= last) {
    const to = upper.places[last - start] ?? upper.to;
    return { put: [], drop: [upper.from, to], covers: [lower.to, upper.from], anchor, early };
  }
  const put = fresh(rows, last + 1, start, lower.to, last);
  return { put, covers: [lower.to, upper.from], anchor, early };
}

/** Returns where a newer run's first line may be: in `need` lines at least, or at the log's end. */
function beginnings(
  rows: readonly LogRow<unknown>[],
  run: readonly LogRow<unknown>[],
  need: number,
  most: number,
): readonly number[] {
  const isEnd = most < rows.length;
  return overlaps(rows, run, need).filter(
    (at) => at >= 0 && at <= most && (isEnd || Math.min(run.length, rows.length - at) >= need),
  );
}

/** The newer run stands in the older one from further back on. */
function passedFrom<Line>(
  upper: KnownRun<Line>,
  lower: KnownRun<Line>,
  behind: readonly LogRow<Line>[],
  need: number,
): Placement<Line> | undefined {
  const window = [...lower.rows, ...behind];
  const fits = beginnings(window, upper.rows, need, window.length);
  const [fit] = fits;
  if (fit === undefined || fits.length > 1 || !isWhole(upper)) return undefined;
  const end = fit + upper.rows.length;
  return end <= lower.rows.length ? passedBy(upper, lower, end) : undefined;
}

/**
 * The newest page, of which nothing says beforehand how much is new. Where it does not join `lower`
 * it stands by itself, from `free` on.
 */
export function onTop<Line>(
  { rows, need, begins }: Overlapping<Line>,
  lower: KnownRun<Line> | undefined,
  free: Place,
): Placement<Line> {
  const met = lower === undefined ? undefined : meet(rows, lower.rows, need, begins);
  const from = met === undefined ? 0 : met.last + 1;
  if (lower === undefined || met?.certain !== true) {
    const put = fresh(rows, from, rows.length, free, 0);
    const [first] = put;
    const last = put.at(-1);
    if (first === undefined || last === undefined) return nothingPlaced;
    const anchor = { row: from, place: first.place };
    return { put, covers: [first.place, last.place], anchor, unclear: met !== undefined };
  }
  const put = fresh(rows, from, rows.length, lower.to, met.last);
  return {
    put,
    covers: [lower.to, put.at(-1)?.place ?? lower.to],
    anchor: { row: met.last, place: lower.to },
  };
}

/** The newest page lies within a run that is longer than it: only where is of interest. */
export function insideRun<Line>(
  { rows, need }: Overlapping<Line>,
  run: KnownRun<Line>,
): Placement<Line> {
  const at = overlaps(rows, run.rows, need).at(-1);
  if (at === undefined) return nothingPlaced;
  const row = Math.max(0, at);
  const place = run.places[row - at];
  return place === undefined ? nothingPlaced : { put: [], inside: 0, anchor: { row, place } };
}

/** A page that is the beginning of a run: it was asked for before it, and everything moved on. */
export function placeAtBeginning<Line>(
  { rows }: Overlapping<Line>,
  run: KnownRun<Line>,
): Placement<Line> {
  const isBeginning = overlaps(rows, run.rows, rows.length).includes(0);
  return isBeginning ? { put: [], covers: [run.from, run.from] } : nothingPlaced;
}

/** The rows from `from` to `to`, given that row `at` stands at `place`. */
function fresh<Line>(
  rows: readonly LogRow<Line>[],
  from: number,
  to: number,
  place: Place,
  at: number,
): readonly PlacedRow<Line>[] {
  return rows
    .slice(from, Math.max(from, to))
    .map((row, index) => ({ place: shiftPlace(place, from + index - at), row }));
}
