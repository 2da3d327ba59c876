/** Adds the lines of the open stream to a numbered log. */
import type { LogId } from '../../contract/logs.ts';
import { isAdjacent, maxPlace, minPlace, type Place } from '../arena/place.ts';
import type { LogRow, PlacedRow } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import { cover, type Spans } from '../arena/spans.ts';
import { isRepeated, type Copies, type Likeness } from './copies.ts';
import type { Held } from './held.ts';
import { conflictsFrom, type Numbering } from './numbering.ts';
import type { YoungHoles } from './young.ts';

/** Lines that a breaking stream may have delivered out of order. */
const reorderDepth = 32;

/** Lower lines that together tell a new numbering (rule 4). */
const fewestSuspects = 3;

/** Lower lines that are remembered. */
const mostSuspects = 1000;

/** Held lines among which the last one of a service is looked for. */
const searchedLines = 200;

/** A line below the held end: one that came late, or the first of a new numbering. */
interface Suspect<Line> {
  readonly row: LogRow<Line>;
  readonly place: Place;
  readonly likeness: Likeness | undefined;
}

export class LiveLines<Line> {
  readonly #held: Held<Line>;
  readonly #copies: Copies;
  readonly #numbering: Numbering<Line>;
  readonly #young: YoungHoles;
  /** The first place that the present connection vouches for. */
  #liveFrom: Place | undefined;
  #suspects: readonly Suspect<Line>[] = [];
  #hasBegun = false;
  /** The numbering in which the connection repeats lines; undefined until its first known line. */
  #epoch: number | undefined;
  /** The id of the last line that it repeated of an older numbering. */
  #repeated: LogId | undefined;
  /** The newest line at the last frame that could not be read. */
  #unreadableAt: Place | undefined;

  constructor(held: Held<Line>, copies: Copies, numbering: Numbering<Line>, young: YoungHoles) {
    this.#held = held;
    this.#copies = copies;
    this.#numbering = numbering;
    this.#young = young;
  }

  /** True once the open stream has brought lines. */
  get isFlowing(): boolean {
    return this.#liveFrom !== undefined;
  }

  /** True when lines below the held end may begin a new numbering: the newest page tells. */
  get isSuspicious(): boolean {
    const hasOther = this.#suspects.some(({ likeness }) => likeness === 'other');
    return hasOther || this.#suspects.length >= fewestSuspects;
  }

  /** True since a new numbering was taken for one, until that is noted. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  noteBegun(): void {
    this.#hasBegun = false;
  }

  opened(): void {
    this.#liveFrom = undefined;
    this.#epoch = undefined;
    this.#repeated = undefined;
    this.#unreadableAt = undefined;
  }

  unreadable(): void {
    this.#unreadableAt ??= this.#held.newest;
  }

  forgetBefore(place: Place): void {
    if (this.#liveFrom !== undefined) this.#liveFrom = maxPlace(this.#liveFrom, place);
  }

  /** Appends a run behind all known lines; false when its lines must be added one by one. */
  append(run: Run): boolean {
    const { newest } = this.#held;
    if (newest === undefined || this.#liveFrom === undefined || this.#suspects.length > 0)
      return false;
    if (this.#mayRepeat) return false;
    const { shift } = this.#numbering;
    if (typeof shift !== 'number') return false;
    const first = (run.places[0] ?? 0) + shift;
    const last = (run.places[run.count - 1] ?? 0) + shift;
    if (first <= newest || !Number.isSafeInteger(last)) return false;
    if (shift !== 0)
      for (let index = 0; index < run.count; index += 1)
        run.places[index] = (run.places[index] ?? 0) + shift;
    const isUnbroken = last - first + 1 === run.count && isAdjacent(newest, first);
    if (!isUnbroken) this.#young.note(newest, last);
    this.#held.noteStart(first);
    this.#held.append(run, cover(this.#held.spans, this.#liveFrom, last));
    return true;
  }

  /** Adds lines. Returns those from which on ids tell nothing: each service numbers for itself. */
  add(rows: readonly LogRow<Line>[]): readonly LogRow<Line>[] | undefined {
    const puts = new Map<Place, PlacedRow<Line>>();
    const known = this.#held.newest;
    let newest = known;
    let lowest: Place | undefined;
    for (const [index, row] of rows.entries()) {
      if (this.#isOfOlder(row)) continue;
      const place = this.#numbering.placeOf(row.id ?? 0);
      if (newest === undefined || place > newest) {
        newest = place;
        puts.set(place, { place, row });
        this.#epoch = this.#numbering.newest;
        this.acquit();
        continue;
      }
      if (this.#suspects.some((each) => each.place === place && isRepeated(each.row, row)))
        continue;
      const put = puts.get(place);
      const held = put ?? this.#held.at(place);
      if (held === undefined) {
        this.#suspect({ row, place, likeness: undefined });
        if (this.#isInRange(place)) puts.set(place, { place, row });
        continue;
      }
      if (isRepeated(held.row, row) || this.#likeness(held, row) === 'same') {
        lowest = lowest === undefined ? place : minPlace(lowest, place);
        this.acquit();
        continue;
      }
      if (this.#numbersApart(held, row, put !== undefined)) {
        this.#put([...puts.values()], known, lowest);
        return rows.slice(index);
      }
      this.#suspect({ row, place, likeness: 'other' });
      const likenesses = this.#suspects.map(({ likeness }) => likeness);
      if (conflictsFrom(likenesses) === undefined) continue;
      this.#put([...puts.values()], known, lowest);
      this.begin();
      return this.add(rows.slice(index + 1));
    }
    this.#put([...puts.values()], known, lowest);
    return undefined;
  }

  #likeness(held: PlacedRow<Line>, row: LogRow<Line>): Likeness {
    return this.#copies.compare(held.row, row);
  }

  /** True while the connection may repeat lines of older numberings. */
  get #mayRepeat(): boolean {
    const { newest } = this.#numbering;
    return newest > 0 && this.#epoch !== newest;
  }

  /**
   * Returns whether a line is repeated from an older numbering. A connection repeats lines in the order
   * in which they were written, so that it goes from one numbering to the next.
   */
  #isOfOlder(row: LogRow<Line>): boolean {
    if (!this.#mayRepeat) return false;
    const { newest } = this.#numbering;
    const first = this.#epoch ?? 0;
    for (let epoch = newest; epoch >= first; epoch -= 1) {
      if (!this.#isHeldIn(row, epoch)) continue;
      this.#epoch = epoch;
      this.#repeated = row.id;
      return epoch < newest;
    }
    if (this.#epoch === undefined) return false;
    // Lines between others of that numbering are not at hand: pages bring them.
    const place = this.#numbering.placeOf(row.id ?? 0, this.#epoch);
    const [next] = this.#held.from(place, 1);
    const isBetween =
      this.#repeated !== undefined &&
      this.#repeated < (row.id ?? 0) &&
      next !== undefined &&
      next.place !== place &&
      this.#numbering.epochAt(next.place) === this.#epoch;
    if (isBetween) return true;
    this.#epoch += 1;
    this.#repeated = undefined;
    return this.#isOfOlder(row);
  }

  #isHeldIn(row: LogRow<Line>, epoch: number): boolean {
    const held = this.#held.at(this.#numbering.placeOf(row.id ?? 0, epoch));
    if (held === undefined) return false;
    const isTimed = row.timestamp !== undefined && held.row.timestamp !== undefined;
    return (isTimed || epoch === this.#numbering.newest) && this.#likeness(held, row) === 'same';
  }

  /**
   * Rule 1: returns whether lines of one connection share an id because each service numbers for itself:
   * then the ids of a line's own service go on rising.
   */
  #numbersApart(held: PlacedRow<Line>, row: LogRow<Line>, isPut: boolean): boolean {
    const { service, id } = row;
    if (service === undefined || service === held.row.service) return false;
    if (!isPut && (this.#liveFrom === undefined || held.place < this.#liveFrom)) return false;
    const { newest } = this.#held;
    if (newest === undefined || id === undefined) return false;
    const own = this.#held
      .upTo(newest, searchedLines)
      .findLast((each) => each.row.service === service);
    return own !== undefined && own.place < held.place;
  }

  #suspect(suspect: Suspect<Line>): void {
    if (this.#suspects.length >= mostSuspects) return;
    // The bytes of a message are valid for one step only.
    this.#suspects = [
      ...this.#suspects,
      { ...suspect, row: { ...suspect.row, message: undefined } },
    ];
  }

  /**
   * Returns whether a page of the newest lines ends with the lower lines that came, and with others that
   * are not known, either. A page that only lags behind the stream goes on with known lines.
   */
  endsPage(rows: readonly LogRow<Line>[], isKnown: (row: LogRow<Line>) => boolean): boolean {
    const ids = new Set(this.#suspects.map(({ row }) => row.id));
    const isLower = ({ id }: LogRow<Line>): boolean => ids.has(id);
    if (rows.filter(isLower).length < fewestSuspects) return false;
    return rows.slice(rows.findIndex(isLower)).every((row) => isLower(row) || !isKnown(row));
  }

  /** The lower lines belong where their ids put them. */
  acquit(): void {
    if (this.#suspects.length > 0) this.#suspects = [];
  }

  /** Returns the lower lines that were not put. */
  takeSuspects(): readonly LogRow<Line>[] {
    const rows = this.#suspects.filter(({ likeness }) => likeness === 'other');
    this.#suspects = [];
    return rows.map(({ row }) => row);
  }

  /** Rule 4: the lower lines begin a new numbering. */
  begin(): void {
    const suspects = this.#suspects;
    const end = this.#held.newest;
    this.#suspects = [];
    if (end === undefined || suspects.length === 0) return;
    const wasLive = this.#liveFrom !== undefined;
    const ids = suspects.map(({ row }) => row.id ?? 0);
    this.#numbering.beginAfter(
      end,
      ids.reduce((least, id) => minPlace(least, id), ids[0] ?? 0),
    );
    this.#hasBegun = true;
    this.#epoch = this.#numbering.newest;
    this.#liveFrom = undefined;
    const drop = suspects.flatMap(({ place, likeness }) =>
      likeness === undefined && this.#held.at(place) !== undefined ? [[place, place] as const] : [],
    );
    if (drop.length > 0) this.#held.drop(drop);
    this.add(suspects.map(({ row }) => row));
    // On one connection, nothing came between the numberings.
    if (wasLive && this.#liveFrom !== undefined) this.#held.beginAgainAt(this.#liveFrom);
  }

  /** The stream has ended: what it covered ends before the first hole in its last lines. */
  closed(): void {
    const liveFrom = this.#liveFrom;
    const { newest } = this.#held;
    this.#liveFrom = undefined;
    if (liveFrom === undefined || newest === undefined) return;
    const last = this.#held.upTo(newest, reorderDepth).filter(({ place }) => place >= liveFrom);
    const hole = last.findIndex(
      ({ place }, index) => index > 0 && !isAdjacent(last[index - 1]?.place ?? place, place),
    );
    const certain = hole < 0 ? newest : (last[hole - 1]?.place ?? newest);
    const end = this.#unreadableAt === undefined ? certain : minPlace(certain, this.#unreadableAt);
    if (end < newest) this.#held.doubt(liveFrom, end);
  }

  /** Returns the place before which live lines are left to history; undefined without one. */
  #floor(): Place | undefined {
    const bottom = this.#held.spans[0]?.from;
    return bottom === this.#liveFrom ? undefined : bottom;
  }

  #isInRange(place: Place): boolean {
    const floor = this.#floor();
    return floor === undefined || place >= floor;
  }

  /** Puts new lines. @param lowest the lowest held line that came again. */
  #put(
    rows: readonly PlacedRow<Line>[],
    known: Place | undefined,
    lowest: Place | undefined,
  ): void {
    const put = [...rows].sort((left, right) => (left.place < right.place ? -1 : 1));
    const last = put.at(-1)?.place ?? lowest;
    const first = this.#firstOf(rows, known, lowest);
    if (first === undefined || last === undefined) return;
    this.#noteHoles(put, known);
    const spans = this.#extended(first, maxPlace(first, last), put[0]?.place);
    const end = this.#liveFrom ?? first;
    this.#held.apply(this.#held.withSingles(spans, put, end), put, [], 'older');
  }

  /** Returns the place from which on the connection has left nothing out. */
  #firstOf(
    rows: readonly PlacedRow<Line>[],
    known: Place | undefined,
    lowest: Place | undefined,
  ): Place | undefined {
    const isFresh = this.#floor() === undefined;
    const places = rows.map(({ place }) => place);
    const least = places.reduce((before, place) => minPlace(before, place), places[0] ?? 0);
    const first = places.length === 0 ? undefined : isFresh ? least : places[0];
    if (lowest === undefined || first === undefined) return first ?? this.#liveFrom ?? lowest;
    if (this.#liveFrom !== undefined) return first;
    // A replay that ends before the next line in a log without holes has left some out.
    const end = known ?? lowest;
    const isJoined = first <= end || !this.#held.isDense || isAdjacent(end, first);
    return isJoined ? minPlace(lowest, first) : first;
  }

  /** Notes ids that the stream has left out, also those of a replay that fills a gap. */
  #noteHoles(put: readonly PlacedRow<Line>[], known: Place | undefined): void {
    const newest = known ?? put[0]?.place;
    const last = put.at(-1)?.place;
    if (newest === undefined || last === undefined) return;
    const behind = put.filter(({ place }) => place > newest);
    const isUnbroken = behind.every(({ place }, index) =>
      isAdjacent(behind[index - 1]?.place ?? newest, place),
    );
    if (!isUnbroken) this.#young.note(newest, last);
    if (put.length > behind.length) this.#young.note(put[0]?.place ?? newest, newest);
  }

  /** Returns the spans after the stream has left nothing out between two places. */
  #extended(from: Place, to: Place, firstNew: Place | undefined): Spans {
    const isFresh = this.#floor() === undefined;
    const start = this.#liveFrom ?? from;
    this.#liveFrom = isFresh ? minPlace(start, from) : start;
    if (firstNew !== undefined) this.#held.noteStart(firstNew);
    return cover(this.#held.spans, this.#liveFrom, maxPlace(this.#liveFrom, to));
  }
}
