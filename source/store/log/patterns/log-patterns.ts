import { createStore, type StoreApi } from 'zustand/vanilla';
import type { LogLine } from '../../../contract/logs.ts';
import type { Entries } from '../../../tail/arena/entries.ts';
import type { LogLevel } from '../../../tail/level.ts';
import {
  joinedPattern,
  type Pattern,
  PatternGroups,
} from '../../../tail/patterns/pattern-groups.ts';
import type { Clock } from '../../time/clock.ts';
import type { LogSource } from '../feed/log-source.ts';
import { timeOf } from '../../../tail/arena/time-search.ts';
import { type Piece, UnreadLines } from './unread-lines.ts';

/** Milliseconds of a slot of the recent lines, and the slots that a rate is made of. */
const slotWidth = 30_000;
const slots = 10;

/** Services and characters of an example that are remembered. */
const maxServices = 8;
const maxExample = 2000;

/** A time in ms since the epoch; undefined for lines without one. */
type Time = number | undefined;

/** Lines of a pattern that were read beside each other. */
interface PatternPiece {
  readonly read: number;
  readonly firstAt: Time;
  readonly lastAt: Time;
  readonly services: ReadonlySet<string>;
  /** A line of the pattern, the newest that was read. */
  readonly example: string;
}

interface Slot {
  /** Number of the slot since the epoch. */
  at: number;
  lines: number;
}

/** Counts the lines of one pattern. */
class PatternCounter implements PatternPiece {
  /** Lines; more than were read while lines are sampled. */
  lines = 0;
  read = 0;
  firstAt: Time = undefined;
  lastAt: Time = undefined;
  readonly services = new Set<string>();
  example = '';
  readonly #slots: readonly Slot[] = Array.from({ length: slots }, () => ({ at: -1, lines: 0 }));

  /** Adds lines. @param weight the lines that each of them stands for. */
  add(piece: PatternPiece, weight: number): void {
    const lines = piece.read * weight;
    this.#merge(piece, lines);
    if (piece.lastAt !== undefined) this.#addRecent(Math.floor(piece.lastAt / slotWidth), lines);
  }

  /** Adds the lines of a pattern that has become part of this one. */
  join(other: PatternCounter): void {
    this.#merge(other, other.lines);
    for (const { at, lines } of other.#slots) if (at >= 0) this.#addRecent(at, lines);
  }

  /** Returns the lines a minute of the last five minutes. @param since the time of the oldest line. */
  perMinute(now: number, since: Time): number {
    const newest = Math.floor(now / slotWidth);
    const recent = this.#slots
      .filter(({ at }) => at > newest - slots && at <= newest)
      .reduce((sum, { lines }) => sum + lines, 0);
    const begin = Math.max(since ?? 0, (newest - slots + 1) * slotWidth);
    return (recent * 60_000) / Math.max(now - begin, slotWidth);
  }

  #merge(piece: PatternPiece, lines: number): void {
    this.lines += lines;
    this.read += piece.read;
    const isNewer = (piece.lastAt ?? 0) >= (this.lastAt ?? 0);
    if (isNewer || this.example === '') this.example = ownCopy(piece.example);
    this.firstAt = pick(Math.min, this.firstAt, piece.firstAt);
    this.lastAt = pick(Math.max, this.lastAt, piece.lastAt);
    for (const service of piece.services) {
      if (this.services.size < maxServices) this.services.add(service);
    }
  }

  #addRecent(at: number, lines: number): void {
    const slot = this.#slots[at % slots];
    if (slot === undefined || at < slot.at) return;
    slot.lines = at === slot.at ? slot.lines + lines : lines;
    slot.at = at;
  }
}

/** Copies a text: one of a scan may keep many others alive. */
function ownCopy(text: string): string {
  return Buffer.from(text.slice(0, maxExample), 'utf16le').toString('utf16le');
}

function pick(choose: (one: number, other: number) => number, one: Time, other: Time): Time {
  return one === undefined || other === undefined ? (one ?? other) : choose(one, other);
}

/** A pattern of a log with what is known of its lines. */
export interface SeenPattern {
  readonly id: number;
  /** Words with `<#>` for values and `<*>` for any token. */
  readonly template: string;
  readonly level: LogLevel | undefined;
  readonly lines: number;
  /** True when the lines were sampled, so that their number is an estimate. */
  readonly isEstimate: boolean;
  /** Lines a minute, of the last five minutes. */
  readonly perMinute: number;
  /** Times of the oldest and the newest line, in ms since the epoch. */
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
  readonly services: readonly string[];
  readonly example: string;
  /** True for a pattern that appeared in the last ten minutes of a log that is older. */
  readonly isNew: boolean;
}

export interface LogPatternsState {
  /** Grows with each change of the patterns. */
  readonly version: number;
  /** Lines of all patterns, and of them those that were read. */
  readonly lines: number;
  readonly read: number;
  /** Lines of patterns that were dropped for newer ones. */
  readonly dropped: number;
  /** Lines that left the log before they were read. */
  readonly lost: number;
}

/** Lines that are read in one turn of the event loop, and their characters. */
const pieceLines = 256;
const pieceCharacters = 48 * 1024;
const fewestLines = 8;
/** Milliseconds from new lines to the first piece, and from piece to piece. */
const firstDelay = 100;
const pieceDelay = 12;
const publishDelay = 1000;
/** Age up to which a pattern is new, in ms. */
const newFor = 10 * 60_000;

interface LogPatternsOptions {
  readonly log: Pick<LogSource, 'entries' | 'onInserted'>;
  readonly clock: Clock;
  /** Returns the time of the service in ms since the epoch. */
  readonly serviceNow: () => number;
  /** Unread lines from which they are sampled; 50,000 by default. */
  readonly sampledFrom?: number;
}

/**
 * Groups the lines of a log into patterns as they come. A line costs about 3 µs, most of it to mask
 * it, so a log of 1,000 lines/s costs 0.4 % of a processor. Lines are read in pieces of 256 (1 ms)
 * with 11 ms between them: a flood costs 8 %, whatever its rate, and is sampled above 20,000 lines/s
 * (`npm run bench -- patterns`).
 */
export class LogPatterns {
  /** Published at most once a second. */
  readonly state: StoreApi<LogPatternsState>;
  readonly #options: LogPatternsOptions;
  readonly #unread: UnreadLines;
  readonly #groups: PatternGroups;
  readonly #counters = new Map<Pattern, PatternCounter>();
  readonly #totals = { read: 0, dropped: 0, lost: 0 };
  readonly #unsubscribe: () => void;
  #firstAt: number | undefined;
  #version = 0;
  #lineCount = pieceLines;
  #cached: { version: number; second: number; rows: readonly SeenPattern[] } | undefined;
  #cancelRead: (() => void) | undefined;
  #cancelPublish: (() => void) | undefined;

  constructor(options: LogPatternsOptions) {
    const { log, clock, sampledFrom } = options;
    this.#options = options;
    this.#unread = new UnreadLines(log.entries, sampledFrom);
    this.#groups = new PatternGroups({
      onJoined: (from, into) => {
        const counter = this.#counters.get(from);
        this.#counters.delete(from);
        if (counter !== undefined) this.#counterOf(into).join(counter);
      },
      onDropped: (pattern) => {
        this.#totals.dropped += this.#counters.get(pattern)?.lines ?? 0;
        this.#counters.delete(pattern);
      },
    });
    this.state = createStore<LogPatternsState>(() => this.#currentState());
    this.#unsubscribe = log.onInserted((runs) => {
      this.#unread.add(runs);
      if (this.#unread.count > 0)
        this.#cancelRead ??= clock.after(firstDelay, () => this.#readPiece());
    });
  }

  /** Returns the patterns as they were published last, with the rates of this second. */
  seen(): readonly SeenPattern[] {
    const now = this.#options.serviceNow();
    const second = Math.floor(now / 1000);
    const version = this.#version;
    if (this.#cached?.version !== version || this.#cached.second !== second)
      this.#cached = { version, second, rows: this.#seenAt(now) };
    return this.#cached.rows;
  }

  /** Returns the pattern of a line without counting it. */
  patternOf(text: string): Pattern {
    return this.#groups.add(text);
  }

  stop(): void {
    this.#unsubscribe();
    this.#cancelRead?.();
    this.#cancelPublish?.();
  }

  #counterOf(pattern: Pattern): PatternCounter {
    const counter = this.#counters.get(pattern) ?? new PatternCounter();
    this.#counters.set(pattern, counter);
    return counter;
  }

  #currentState(): LogPatternsState {
    let lines = 0;
    for (const counter of this.#counters.values()) lines += counter.lines;
    return { version: this.#version, lines, ...this.#totals };
  }

  #publish(): void {
    this.#cancelPublish = undefined;
    this.#version += 1;
    this.state.setState(this.#currentState(), true);
  }

  #readPiece(): void {
    const { clock } = this.#options;
    const { piece, lost } = this.#unread.take(this.#lineCount);
    this.#totals.lost += lost;
    if (piece !== undefined) this.#count(piece);
    const isMore = this.#unread.count > 0;
    this.#cancelRead = isMore ? clock.after(pieceDelay, () => this.#readPiece()) : undefined;
    const delay = this.#version === 0 ? firstDelay : publishDelay;
    this.#cancelPublish ??= clock.after(delay, () => this.#publish());
  }

  #count(piece: Piece): void {
    const { entries } = this.#options.log;
    const { found, lines, characters } = readLines(entries, this.#groups, piece);
    // A gap among the entries is no line.
    const weight = lines === 0 ? 0 : piece.weight;
    this.#totals.read += lines;
    for (const [pattern, part] of found) {
      const now = joinedPattern(pattern);
      if (now.isDropped) this.#totals.dropped += part.read * weight;
      else this.#counterOf(now).add(part, weight);
      this.#firstAt = pick(Math.min, this.#firstAt, part.firstAt);
    }
    const average = lines === 0 ? 1 : Math.max(1, characters / lines);
    const count = Math.min(pieceLines, Math.floor(pieceCharacters / average));
    this.#lineCount = Math.max(fewestLines, count);
  }

  #seenAt(now: number): readonly SeenPattern[] {
    const firstAt = this.#firstAt;
    const isOld = firstAt !== undefined && firstAt < now - newFor;
    return Array.from(this.#counters, ([pattern, counter]) => ({
      id: pattern.id,
      template: pattern.tokens.join(' '),
      level: pattern.level,
      lines: Math.round(counter.lines),
      isEstimate: counter.lines > counter.read,
      perMinute: counter.perMinute(now, firstAt),
      firstAt: counter.firstAt,
      lastAt: counter.lastAt,
      services: [...counter.services],
      example: counter.example,
      isNew: isOld && counter.firstAt !== undefined && counter.firstAt >= now - newFor,
    }));
  }
}

interface FoundPart extends PatternPiece {
  read: number;
  firstIndex: number;
  lastIndex: number;
  example: string;
  readonly services: Set<string>;
}

/** Groups the lines of a piece, and decodes the oldest and the newest of each pattern. */
function readLines(
  entries: Entries<LogLine>,
  groups: PatternGroups,
  { from, to }: Piece,
): {
  readonly found: ReadonlyMap<Pattern, PatternPiece>;
  readonly lines: number;
  readonly characters: number;
} {
  const parts = new Map<Pattern, FoundPart>();
  let lines = 0;
  const characters = entries.scan(from, to, (index, text, service) => {
    lines += 1;
    const pattern = groups.add(text);
    let part = parts.get(pattern);
    if (part === undefined) {
      part = {
        read: 0,
        firstIndex: index,
        lastIndex: index,
        firstAt: undefined,
        lastAt: undefined,
        example: text,
        services: new Set(),
      };
      parts.set(pattern, part);
    }
    part.read += 1;
    part.lastIndex = index;
    part.example = text;
    if (service !== undefined) part.services.add(service);
  });
  const found = new Map<Pattern, PatternPiece>();
  for (const [pattern, part] of parts) {
    const firstAt = timeAt(entries, part.firstIndex);
    const lastAt = part.lastIndex === part.firstIndex ? firstAt : timeAt(entries, part.lastIndex);
    found.set(pattern, { ...part, firstAt, lastAt });
  }
  return { found, lines, characters };
}

function timeAt(entries: Entries<LogLine>, index: number): number | undefined {
  const entry = entries.at(index);
  return entry && timeOf(entry);
}
