import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import { findTime } from '../../../tail/arena/time-search.ts';
import { joinedPattern, type Pattern } from '../../../tail/patterns/pattern-groups.ts';
import type { Clock } from '../../time/clock.ts';
import { SlotStarts } from '../histogram/slot-starts.ts';
import type { LogPatterns, SeenPattern } from './log-patterns.ts';
import { type PatternChange, patternChange } from './pattern-change.ts';

/** A pattern whose rate differs between two spans. */
export interface ComparedPattern extends SeenPattern {
  readonly change: PatternChange;
  /** Lines a minute before the moment and after it. */
  readonly before: number;
  readonly after: number;
}

/** A span of time, in ms since the epoch. */
export interface ComparedSpan {
  readonly from: number;
  readonly to: number;
}

export type ComparisonState =
  | { readonly kind: 'none' }
  /** There are no lines with times on both sides of the moment. */
  | { readonly kind: 'impossible' }
  | { readonly kind: 'reading'; readonly before: ComparedSpan; readonly after: ComparedSpan }
  | {
      readonly kind: 'done';
      readonly before: ComparedSpan;
      readonly after: ComparedSpan;
      readonly rows: readonly ComparedPattern[];
      /** Patterns that do not differ. */
      readonly unchanged: number;
      /** True when only a part of the lines was read. */
      readonly isSampled: boolean;
    };

/** Milliseconds after the moment, and before it: of the length after it, and at least. */
const longestAfter = 10 * 60_000;
const timesAfter = 10;
const leastBefore = 5 * 60_000;
/** Equal parts of each span, lines that are read of each, and lines that are read at a time. */
const parts = 10;
const partLines = 1000;
const pieceLines = 250;

interface Tally {
  /** Lines of each part of both spans. */
  readonly lines: number[];
  readonly services: Set<string>;
  example: string;
}

/** A range of entries to read, which stand for all lines of their part. */
interface Reading {
  readonly part: number;
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Compares the lines before and after a moment by their patterns. */
export class LogComparison {
  readonly state: StoreApi<ComparisonState> = createStore<ComparisonState>(() => ({
    kind: 'none',
  }));
  readonly #entries: Entries<LogLine>;
  readonly #patterns: Pick<LogPatterns, 'patternOf'>;
  readonly #clock: Clock;
  #cancel = (): void => {};

  constructor(entries: Entries<LogLine>, patterns: Pick<LogPatterns, 'patternOf'>, clock: Clock) {
    this.#entries = entries;
    this.#patterns = patterns;
    this.#clock = clock;
  }

  /**
   * Compares up to ten minutes after a moment with what was before: ten times as long, but at least
   * five minutes, as far as there are lines. Times are in ms since the epoch.
   * @param since the time from which the lines before the moment count, such as the restart before.
   */
  start(moment: number, since = Number.NEGATIVE_INFINITY): void {
    const entries = this.#entries;
    this.#cancel();
    const oldest = findTime(entries, 0);
    const newest = findTime(entries, entries.length - 1, -1);
    if (oldest === undefined || newest === undefined || oldest >= moment || newest <= moment) {
      this.state.setState({ kind: 'impossible' }, true);
      return;
    }
    const after = { from: moment, to: Math.min(newest, moment + longestAfter) + 1 };
    const length = Math.max(leastBefore, timesAfter * (after.to - after.from));
    const before = { from: Math.max(oldest, moment - length, since), to: moment };
    this.state.setState({ kind: 'reading', before, after }, true);
    const times = [...edges(before), ...edges(after).slice(1)];
    const starts = new SlotStarts(entries).of(times).map((seq) => entries.indexOf(seq));
    const readings = starts.slice(0, -1).flatMap((from, part) => {
      return readingsOf(part, from, starts[part + 1] ?? from);
    });
    this.#read(readings, { before, after }, entries.epoch);
  }

  stop(): void {
    this.#cancel();
  }

  #read(
    readings: readonly Reading[],
    spans: { readonly before: ComparedSpan; readonly after: ComparedSpan },
    epoch: number,
  ): void {
    const tallies = new Map<Pattern, Tally>();
    let next = 0;
    const step = (): void => {
      const reading = readings[next];
      // Renumbered entries are other lines.
      if (reading === undefined || this.#entries.epoch !== epoch) {
        const weights = readings.map(({ weight }) => weight);
        this.state.setState({ kind: 'done', ...spans, ...result(tallies, spans, weights) }, true);
        return;
      }
      next += 1;
      this.#count(reading, tallies);
      this.#cancel = this.#clock.after(0, step);
    };
    step();
  }

  #count({ part, from, to, weight }: Reading, tallies: Map<Pattern, Tally>): void {
    this.#entries.scan(from, to, (_, text, service) => {
      const pattern = this.#patterns.patternOf(text);
      let tally = tallies.get(pattern);
      if (tally === undefined) {
        const lines = Array.from({ length: 2 * parts }, () => 0);
        tally = { lines, services: new Set(), example: '' };
        tallies.set(pattern, tally);
      }
      tally.lines[part] = (tally.lines[part] ?? 0) + weight;
      tally.example = text;
      if (service !== undefined) tally.services.add(service);
    });
  }
}

/** Returns the times between which the parts of a span lie. */
function edges({ from, to }: ComparedSpan): readonly number[] {
  return Array.from({ length: parts + 1 }, (_, index) =>
    Math.round(from + ((to - from) * index) / parts),
  );
}

/** Returns what is read of a part: all of it, or pieces spread over it. */
function readingsOf(part: number, from: number, to: number): readonly Reading[] {
  const all = to - from;
  const read = Math.min(all, partLines);
  const pieces = Math.ceil(read / pieceLines);
  return Array.from({ length: pieces }, (_, piece) => {
    const start = from + Math.floor((piece * all) / pieces);
    const end = Math.min(
      to,
      start + Math.ceil(read / pieces),
      from + Math.floor(((piece + 1) * all) / pieces),
    );
    return { part, from: start, to: end, weight: all / read };
  });
}

function result(
  tallies: ReadonlyMap<Pattern, Tally>,
  { before, after }: { readonly before: ComparedSpan; readonly after: ComparedSpan },
  weights: readonly number[],
) {
  const joined = joinedTallies(tallies);
  const sampling = Math.max(1, ...weights);
  const lengths = { before: before.to - before.from, after: after.to - after.from };
  const rows = Array.from(joined).flatMap(([pattern, tally]): readonly ComparedPattern[] => {
    const earlier = { parts: tally.lines.slice(0, parts), length: lengths.before };
    const later = { parts: tally.lines.slice(parts), length: lengths.after };
    const change = patternChange(earlier, later, { patterns: joined.size, sampling });
    if (change === undefined) return [];
    const perMinute = (lines: readonly number[], length: number): number =>
      (lines.reduce((sum, each) => sum + each, 0) * 60_000) / Math.max(1, length);
    const rate = perMinute(later.parts, later.length);
    return [
      {
        id: pattern.id,
        template: pattern.tokens.join(' '),
        level: pattern.level,
        lines: Math.round(tally.lines.reduce((sum, each) => sum + each, 0)),
        isEstimate: sampling > 1,
        perMinute: rate,
        firstAt: undefined,
        lastAt: undefined,
        services: [...tally.services],
        example: tally.example,
        isNew: change === 'new',
        change,
        before: perMinute(earlier.parts, earlier.length),
        after: rate,
      },
    ];
  });
  return {
    rows: rows.toSorted((one, other) => rank(one) - rank(other) || other.lines - one.lines),
    unchanged: joined.size - rows.length,
    isSampled: sampling > 1,
  };
}

/** Adds the tallies of patterns that have become one meanwhile. */
function joinedTallies(tallies: ReadonlyMap<Pattern, Tally>): ReadonlyMap<Pattern, Tally> {
  const joined = new Map<Pattern, Tally>();
  for (const [part, tally] of tallies) {
    const pattern = joinedPattern(part);
    const known = joined.get(pattern);
    if (known === undefined) {
      joined.set(pattern, tally);
      continue;
    }
    for (const [index, lines] of tally.lines.entries()) {
      known.lines[index] = (known.lines[index] ?? 0) + lines;
    }
    for (const service of tally.services) known.services.add(service);
  }
  return joined;
}

const changeOrder: readonly PatternChange[] = ['new', 'more', 'gone', 'fewer'];

/** Returns the place of a row: errors that came or grew first. */
function rank({ change, level }: ComparedPattern): number {
  const isWorse = change === 'new' || change === 'more';
  const urgency = !isWorse || level === undefined ? 2 : level === 'error' ? 0 : 1;
  return urgency * changeOrder.length + changeOrder.indexOf(change);
}
