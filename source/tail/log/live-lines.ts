/** Adds the lines of the open stream to a numbered log. */
import {
  comparePlaces,
  isAdjacent,
  maxPlace,
  minPlace,
  type Place,
  shiftPlace,
} from '../arena/place.ts';
import { type LogRow, type PlacedRow, rowsOf } from '../arena/row.ts';
import type { Run } from '../arena/run.ts';
import { cover, type Spans } from '../arena/spans.ts';
import { isRepeated, type Copies, type Likeness } from './copies.ts';
import type { Held } from './held.ts';
import { type Numbering, stepsOfServices } from './numbering.ts';
import type { YoungHoles } from './young.ts';

/** Lines that a breaking stream may have delivered out of order. */
const reorderDepth = 32;

/** Lower lines that together tell a new numbering (rule 4). */
const fewestSuspects = 3;

/** Lines older than all of a connection that tell a new numbering without a page. */
const fewestOlder = 8;

/** Ticks after which no line of a connection comes late any more. */
const pastTicks = 3;

/** Lower lines that are remembered. */
const mostSuspects = 1000;

/** Held lines among which those of a service, or with a text, are looked for. */
const searchedLines = 1000;

/** A line below the held end: one that came late, or the first of a new numbering. */
interface Suspect<Line> {
  readonly row: LogRow<Line>;
  readonly place: Place;
  readonly likeness: Likeness | undefined;
}

/** Lines that have come at once, as far as they were read. */
interface Piece<Line> {
  readonly puts: Map<Place, PlacedRow<Line>>;
  /** The newest line before them, and the newest one with them. */
  readonly known: Place | undefined;
  newest: Place | undefined;
  /** The lowest held line that came again. */
  lowest: Place | undefined;
}

export class LiveLines<Line> {
  readonly #held: Held<Line>;
  readonly #copies: Copies;
  readonly #numbering: Numbering<Line>;
  readonly #young: YoungHoles;
  /** The first place that the present connection vouches for. */
  #liveFrom: Place | undefined;
  #suspects: readonly Suspect<Line>[] = [];
  /** Whether lines that were not kept may begin a new numbering. */
  #suspicion: 'weak' | 'strong' | undefined;
  /** Lines of the connection so far that no known numbering has. */
  #strange = 0;
  /** Lines that the connection has brought first, lower than all that are at hand. */
  #lower = 0;
  #hasBegun = false;
  /** The highest line that the connection has brought so far, and that at each of the last ticks. */
  #top: Place | undefined;
  #tops: readonly (Place | undefined)[] = [];
  /** True when lines between those at hand turned out to be of a new numbering. */
  #hasMisplaced = false;
  /** True once the connection has brought a line of the newest numbering. */
  #isCurrent = true;
  /** True once the connection has repeated lines of older numberings. */
  #hasRepeated = false;
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
    if (this.#suspicion !== undefined) return true;
    return this.#hasOther || this.#areLow;
  }

  /** True when lower lines came that are not just out of order. */
  get #areLow(): boolean {
    const { newest } = this.#held;
    const fewest = this.#suspects.some(({ place }) => this.#isPast(place)) ? 1 : fewestSuspects;
    if (newest === undefined || this.#suspects.length < fewest) return false;
    const lowest = shiftPlace(newest, -reorderDepth);
    return this.#suspects.some(
      ({ place, likeness }) =>
        likeness === 'other' || place < lowest || this.#young.isSettled(place),
    );
  }

  /** True when lines behind lower or other ones wait until the newest page tells. */
  get #mustWait(): boolean {
    return (this.#areLow || this.#hasOther) && this.#suspects.length < mostSuspects;
  }

  /** Returns whether the connection had brought a line as high some time ago: it repeats none. */
  #isPast(place: Place): boolean {
    const [past] = this.#tops.length < pastTicks ? [] : this.#tops;
    return past !== undefined && place <= past;
  }

  /** True when lower lines are in no order: they are of two numberings. */
  get #isTangled(): boolean {
    return this.#suspects.some(({ place }, at) => {
      const next = this.#suspects[at + 1];
      return next !== undefined && next.place < shiftPlace(place, -reorderDepth);
    });
  }

  /** True since a new numbering was taken for one, until that is noted. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  noteBegun(): void {
    this.#hasBegun = false;
  }

  get #hasOther(): boolean {
    return this.#suspects.some(({ likeness }) => likeness === 'other');
  }

  /** True when lines of a new numbering stand between older ones: ids tell nothing. */
  get hasMisplaced(): boolean {
    return this.#hasMisplaced;
  }

  /** True when the lines of a connection contradict all that are known. */
  get isContradicted(): boolean {
    return this.#suspicion === 'strong';
  }

  opened(): void {
    this.#tops = [];
    this.#top = undefined;
    this.#liveFrom = undefined;
    this.#strange = 0;
    this.#lower = 0;
    this.#isCurrent = this.#numbering.newest === 0;
    this.#hasRepeated = false;
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
    this.#top = last;
    this.#held.noteStart(first);
    this.#held.append(run, cover(this.#held.spans, this.#liveFrom, last));
    return true;
  }

  /** Adds lines. Returns those behind the one which tells that each service numbers for itself. */
  add(rows: readonly LogRow<Line>[]): readonly LogRow<Line>[] | undefined {
    const piece = this.#pieceOf();
    for (const [index, row] of rows.entries()) {
      this.#isCurrent ||= this.#isOfNewest(row);
      const suspect = this.#isCurrent ? this.#take(row, piece) : undefined;
      if (suspect === undefined) continue;
      this.#suspect(suspect);
      const { likeness } = suspect;
      if (likeness === 'same' && !this.#areLow && this.#isTelling(row)) this.#takeLate(piece);
      if (likeness === 'other') {
        this.#put(piece);
        const steps = this.#stepsOfServices();
        if (steps !== undefined && steps >= fewestSuspects) return rows.slice(index + 1);
        // Rule 1: each service may number for itself, and more lines tell whether it does.
        if (steps !== undefined) continue;
      }
      if (!this.#isBegun) continue;
      this.#put(piece);
      this.begin();
      return this.add(rows.slice(index + 1));
    }
    this.#put(piece);
    return undefined;
  }

  #pieceOf(): Piece<Line> {
    const { newest } = this.#held;
    return { puts: new Map(), known: newest, newest, lowest: undefined };
  }

  /** Puts a line that has its place for certain. Returns one that may begin a new numbering. */
  #take(row: LogRow<Line>, piece: Piece<Line>): Suspect<Line> | undefined {
    const { puts, known, newest } = piece;
    const place = this.#numbering.placeOf(row.id ?? 0);
    const isAbove = newest === undefined || place > newest;
    // A connection may bring the last lines of an older numbering late, behind the first new ones.
    const isLeap = isAbove && newest !== undefined && !isAdjacent(newest, place);
    if (isLeap && this.#isEarly && this.#isOfOlder(row)) return undefined;
    if (isAbove && !this.#mustWait) {
      this.#lower = 0;
      piece.newest = place;
      this.#top = place;
      puts.set(place, { place, row });
      this.#takeLate(piece);
      return undefined;
    }
    if (this.#suspects.some((each) => each.place === place && isRepeated(each.row, row)))
      return undefined;
    const held = puts.get(place) ?? this.#held.at(place);
    const likeness =
      held && (isRepeated(held.row, row) ? 'same' : this.#copies.compare(held.row, row));
    // A connection that repeats lines may bring the last ones of an older numbering late.
    if (likeness !== 'same' && this.#isEarly && this.#isOfOlder(row)) return undefined;
    if (likeness === 'same') {
      piece.lowest = minPlace(piece.lowest ?? place, place);
      const isKnown = this.#suspects.length === 0 && !this.#isPast(place);
      if (isKnown) this.#top = maxPlace(this.#top ?? place, place);
      return isKnown ? undefined : { row, place, likeness };
    }
    const isFirst = this.#liveFrom === undefined && known !== undefined && newest === known;
    if (likeness === undefined && isFirst && !isAbove && !this.#held.isCovered(place)) {
      // A connection may repeat lines that are not at hand.
      this.#lower += 1;
      this.#top = maxPlace(this.#top ?? place, place);
      if (this.#isInRange(place)) puts.set(place, { place, row });
      return undefined;
    }
    const from = this.#liveFrom ?? puts.keys().next().value ?? place;
    const isLate = likeness === undefined && place > from && this.#isYoung(place);
    if (isLate) puts.set(place, { place, row });
    return isLate ? undefined : { row, place, likeness };
  }

  /** Returns whether a line only fills a hole of those that came just now. */
  #isYoung(place: Place): boolean {
    return this.#suspects.length === 0 && this.#isInRange(place) && !this.#young.isSettled(place);
  }

  /** Returns how often ids rise by one within a service; undefined where none numbers for itself. */
  #stepsOfServices(): number | undefined {
    if (this.#liveFrom === undefined) return undefined;
    const held = this.#held.from(this.#liveFrom, searchedLines);
    const rows = [...held, ...this.#suspects].toSorted((left, right) =>
      comparePlaces(left.place, right.place),
    );
    return stepsOfServices(rowsOf(rows));
  }

  /**
   * Rule 4: returns whether the lower lines begin a new numbering. Held ids came again with other lines,
   * or the connection goes on with lines that are older than all that it has brought.
   */
  get #isBegun(): boolean {
    const count = (likeness: Likeness | undefined): number =>
      this.#suspects.filter((each) => each.likeness === likeness).length;
    if (count('other') - count('same') >= fewestSuspects) return true;
    if (this.#liveFrom === undefined || this.#suspects.length < fewestOlder) return false;
    const lowest = shiftPlace(this.#liveFrom, -reorderDepth);
    return this.#suspects.every(({ place, likeness }) => likeness === 'other' || place < lowest);
  }

  /** Returns whether no other recent line looks like one that came again, whatever their ids. */
  #isTelling(row: LogRow<Line>, epoch = this.#numbering.newest): boolean {
    const { newest } = this.#held;
    const held = this.#held.at(this.#numbering.placeOf(row.id ?? 0, epoch))?.row;
    const isTimed = row.timestamp !== undefined && held?.timestamp !== undefined;
    if (isTimed || newest === undefined) return true;
    const alike = this.#held
      .upTo(newest, searchedLines)
      .filter((each) => each.row.text === row.text);
    return alike.length < 2;
  }

  /** The lower lines came late: they belong where their ids put them. */
  #takeLate({ puts }: Piece<Line>): void {
    for (const { row, place, likeness } of this.#suspects)
      if (likeness === undefined && this.#isInRange(place)) puts.set(place, { place, row });
    this.#suspects = [];
  }

  /** The lower lines belong where their ids put them. */
  acquit(): void {
    this.#suspicion = undefined;
    const piece = this.#pieceOf();
    this.#takeLate(piece);
    if (piece.puts.size > 0) this.#isCurrent = true;
    this.#put(piece);
  }

  /** True when lines wait that may begin a new numbering. */
  get hasSuspects(): boolean {
    return this.isSuspicious && this.#suspects.length > 0;
  }

  /** No page tells whether lower lines begin a new numbering: they do if no higher line followed (seed 631666). */
  decide(): void {
    const { newest } = this.#held;
    const isRisen = this.#suspects.some(({ place }) => newest !== undefined && place > newest);
    if (this.#hasOther || (this.#areLow && !isRisen)) this.begin();
    else this.acquit();
    this.forgetSuspects();
  }

  /** Called every five seconds, and at the end: nothing more speaks for a new numbering. */
  settle(): void {
    this.#tops = [...this.#tops, this.#top].slice(-pastTicks);
    if (!this.isSuspicious) this.acquit();
  }

  /** Pages bring the lower lines. */
  forgetSuspects(): void {
    this.#suspicion = undefined;
    this.#suspects = [];
  }

  /**
   * Returns whether a line is one of the newest numbering: a connection may repeat lines of older ones
   * first. What it brings before is left to pages.
   */
  #isOfNewest(row: LogRow<Line>): boolean {
    const { newest } = this.#numbering;
    const id = row.id ?? 0;
    const likeness = this.#likenessIn(row, newest);
    const older = this.#likenessInOlder(row);
    const isOlder = older.includes('same');
    const end = this.#held.newest;
    const isBehind = end === undefined || this.#numbering.placeOf(id) > end;
    // Other lines than those of all known numberings begin a new one, unless they are older than these.
    if (isOlder) {
      if (this.#isTelling(row, older.indexOf('same'))) this.#strange = Number.NEGATIVE_INFINITY;
    } else if (likeness === 'other') this.#strange += 1;
    if (this.#strange >= fewestSuspects) this.#suspicion = 'strong';
    if (likeness === 'same' && !isOlder && this.#isTelling(row)) return true;
    this.#hasRepeated ||= isOlder || likeness === 'other';
    if (!isBehind || this.#hasRepeated) return false;
    if (this.#suspicion === undefined) return true;
    const place = this.#numbering.placeOf(id);
    this.#suspect({ row, place, likeness: undefined });
    return false;
  }

  #likenessInOlder(row: LogRow<Line>): readonly (Likeness | undefined)[] {
    const { newest } = this.#numbering;
    return Array.from({ length: newest }, (_, epoch) => this.#likenessIn(row, epoch));
  }

  get #isEarly(): boolean {
    return this.#liveFrom === undefined || this.#held.linesFrom(this.#liveFrom) < reorderDepth;
  }

  #isOfOlder(row: LogRow<Line>): boolean {
    return this.#likenessInOlder(row).some(
      (likeness, epoch) => likeness === 'same' && this.#isTelling(row, epoch),
    );
  }

  #likenessIn(row: LogRow<Line>, epoch: number): Likeness | undefined {
    const held = this.#held.at(this.#numbering.placeOf(row.id ?? 0, epoch));
    return held && this.#copies.compare(held.row, row);
  }

  #suspect(suspect: Suspect<Line>): void {
    if (this.#suspects.length >= mostSuspects) return;
    // The bytes of a message are valid for one step only.
    this.#suspects = [
      ...this.#suspects,
      { ...suspect, row: { ...suspect.row, message: undefined } },
    ];
  }

  /** Returns the lines that wait, as they came. */
  takeSuspects(): readonly LogRow<Line>[] {
    const rows = this.#suspects.map(({ row }) => row);
    this.#suspects = [];
    return rows;
  }

  /**
   * Returns the lower lines of a new numbering, in its order. Those before them that are above all others
   * are the last ones of the numbering before, and are put.
   */
  takeLower(): readonly LogRow<Line>[] {
    const suspects = this.#suspects;
    const first = suspects.findIndex(
      ({ place, likeness }, at) =>
        likeness !== undefined || suspects.some((each, other) => other > at && each.place > place),
    );
    const rest = first < 0 ? [] : suspects.slice(first);
    this.#suspects = first < 0 ? suspects : suspects.slice(0, first);
    const piece = this.#pieceOf();
    this.#takeLate(piece);
    this.#put(piece);
    return rest
      .toSorted((left, right) => comparePlaces(left.place, right.place))
      .map(({ row }) => row);
  }

  /** Rule 4: the lower lines begin a new numbering. */
  begin(): void {
    const end = this.#held.newest;
    this.#hasMisplaced ||= this.#isTangled;
    const rows = this.takeLower();
    this.#suspicion = undefined;
    if (end === undefined || rows.length === 0) return;
    // On one connection, nothing came between the numberings, unless it has left its first lines out.
    const isNext = this.#liveFrom !== undefined && this.#lower === 0;
    this.#numbering.beginAfter(end, rows[0]?.id ?? 0);
    this.#hasBegun = true;
    this.#isCurrent = true;
    this.#tops = [];
    this.#top = undefined;
    this.#liveFrom = undefined;
    this.add(rows);
    if (isNext && this.#liveFrom !== undefined) this.#held.beginAgainAt(this.#liveFrom);
  }

  /** The stream has ended: what it covered ends before the first hole in its last lines. */
  closed(): void {
    // No later line or page may tell (seed 638318).
    if (this.#suspects.length >= fewestSuspects && this.#hasOther) this.begin();
    this.settle();
    const isLower = this.#liveFrom === undefined && this.#lower >= fewestSuspects;
    if (this.isSuspicious || isLower) this.#suspicion ??= 'weak';
    this.#suspects = [];
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

  /** Puts the new lines of a piece. */
  #put(piece: Piece<Line>): void {
    const put = [...piece.puts.values()].sort((left, right) =>
      comparePlaces(left.place, right.place),
    );
    const last = put.at(-1)?.place ?? piece.lowest;
    const first = this.#firstOf(piece);
    piece.puts.clear();
    if (first === undefined || last === undefined) return;
    this.#noteHoles(put, piece.known);
    const spans = this.#extended(first, maxPlace(first, last), put[0]?.place);
    const end = this.#liveFrom ?? first;
    this.#held.apply(this.#held.withSingles(spans, put, end), put, [], 'older');
  }

  /** Returns the place from which on the connection has left nothing out. */
  #firstOf({ puts, known, lowest }: Piece<Line>): Place | undefined {
    const isFresh = this.#floor() === undefined;
    const places = [...puts.keys()];
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
    const [first] = put;
    // The hole may lie just before the first one.
    if (first !== undefined && put.length > behind.length)
      this.#young.note(shiftPlace(first.place, -1), newest);
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
