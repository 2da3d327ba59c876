import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, type Entry, type LineVisitor, seqAt } from '../../../tail/arena/entries.ts';
import type { LineMatcher, QueryProblem } from '../../../tail/query/log-query.ts';
import type { DeploymentNames } from '../../../tail/query/query-terms.ts';
import { type Clock, guardOf } from '../../time/clock.ts';

/** Range of entries to scan: `older` from the last one backward, all others from the first one. */
export interface ScanPass {
  readonly part: 'inside' | 'newer' | 'older';
  readonly from: number;
  readonly to: number;
}

/** The part of the range that was scanned, with its matches; empty when it must be retried. */
export type ScanResult =
  | {
      readonly kind: 'scanned';
      readonly from: number;
      readonly to: number;
      readonly seqs: readonly number[];
    }
  | { readonly kind: 'too-slow'; readonly problem: QueryProblem };

/** Most lines and characters of a step, within which the clock is not read. */
const maxStepLines = 1024;
const maxStepCharacters = 1 << 17;
/** Factor of the step size where few lines pass the prefilter. */
const prefilteredFactor = 4;
/** Lines of the first step and the first run, whose speed is unknown. */
const firstLines = 256;
/**
 * A run with a time limit covers many steps, because the limit costs as much as hundreds of lines.
 */
const maxRunLines = 1 << 13;
const maxRunCharacters = 1 << 19;
/** Milliseconds to collect the lines of a run, about. */
const collectTime = 4;
/** Lines after which a prefilter that most lines pass is switched off. */
const prefilterTrial = 1024;
/** Milliseconds that a run may take; ten times as long as expected. */
const runTimeLimit = 40;
/** Milliseconds that a single line may take, long enough for a busy machine. */
const lineTimeLimit = 100;

interface ScanOptions {
  readonly entries: Entries<LogLine>;
  readonly clock: Clock;
  /** Returns the numbers of the joined logs whose lines are scanned; undefined for all. */
  readonly members?: (() => ReadonlySet<number> | undefined) | undefined;
  /** Returns the names of the deployment of a line, for the term `deployment:`. */
  readonly namesOf?: NamesOf | undefined;
}

/** Tests the lines of a log, a few at a time. */
export class LineScanner {
  readonly #options: ScanOptions;
  readonly #entries: Entries<LogLine>;
  /** Lines of a step, adapted to the length of the last lines. */
  #stepSize = firstLines;
  /** Lines of a run, adapted to the duration of the last run. */
  #runSize = firstLines;
  /** The line at which a run timed out, and how often it has timed out alone. */
  #suspect: { readonly seq: number; readonly timeouts: number } | undefined;
  /** Lines that were scanned with the prefilter, and lines that passed it. */
  #prefiltered = { lines: 0, passed: 0 };

  constructor(options: ScanOptions) {
    this.#options = options;
    this.#entries = options.entries;
  }

  /** Scans the beginning of a range for a few milliseconds at most. */
  scan(test: LineMatcher, pass: ScanPass): ScanResult {
    return test.isCheap ? this.#scanDirectly(test, pass) : this.#scanWithLimit(test, pass);
  }

  reset(): void {
    this.#stepSize = firstLines;
    this.#runSize = firstLines;
    this.#suspect = undefined;
    this.#prefiltered = { lines: 0, passed: 0 };
  }

  #seqsOf(indexes: readonly number[]): number[] {
    return indexes.map((index) => seqAt(this.#entries, index) ?? 0);
  }

  /** Calls back with the lines of a step that may match, and returns their characters. */
  #visit({ from, to }: Range, { prefilter }: LineMatcher, see: LineVisitor): number {
    let characters = 0;
    let lines = 0;
    const entries = this.#entries;
    const chosen = this.#options.members?.();
    const countLine: LineVisitor = (index, text, service) => {
      if (chosen !== undefined && !chosen.has(entries.memberAt?.(index) ?? 0)) return;
      characters += text.length;
      lines += 1;
      see(index, text, service);
    };
    const { lines: tried, passed } = this.#prefiltered;
    const isPrefiltered = prefilter !== undefined && passed * 2 <= tried + prefilterTrial;
    const scanned = entries.scan(from, to, countLine, isPrefiltered ? prefilter : undefined);
    if (isPrefiltered) this.#prefiltered = { lines: tried + to - from, passed: passed + lines };
    const factor = isPrefiltered && lines * 8 <= to - from ? prefilteredFactor : 1;
    const byLength = (maxStepCharacters * (to - from)) / Math.max(1, scanned);
    this.#stepSize = Math.max(1, Math.floor(factor * Math.min(maxStepLines, byLength)));
    return characters;
  }

  /** Returns what names the deployment of an entry; undefined for a test that needs no name. */
  #namesAtOf({ readsDeployment }: LineMatcher): ((index: number) => DeploymentNames) | undefined {
    const { namesOf } = this.#options;
    return namesOf === undefined || readsDeployment !== true
      ? undefined
      : (index) => namesOf(this.#entries.memberAt?.(index));
  }

  /** Runs a cheap test inside the callback. */
  #scanDirectly(test: LineMatcher, pass: ScanPass): ScanResult {
    const range = limitRange(pass, this.#stepSize);
    const passed: number[] = [];
    const namesAt = this.#namesAtOf(test);
    this.#visit(range, test, (index, text, service) => {
      if (test.matches(text, service, namesAt?.(index))) passed.push(index);
    });
    return { kind: 'scanned', ...range, seqs: this.#seqsOf(passed) };
  }

  /** Runs an expensive test on lines collected before, because a timeout can end it anywhere. */
  #scanWithLimit(test: LineMatcher, pass: ScanPass): ScanResult {
    const { clock } = this.#options;
    const { parts, count, ...range } = this.#collectRun(test, pass);
    const namesAt = this.#namesAtOf(test);
    const passed: number[] = [];
    let current = range.from;
    const work = () => {
      for (const { indexes, texts, services } of parts) {
        for (let at = 0; at < texts.length; at += 1) {
          current = indexes[at] ?? current;
          if (test.matches(texts[at] ?? '', services[at], namesAt?.(current))) passed.push(current);
        }
      }
    };
    const started = clock.now();
    const run =
      count === 0 ? { ok: true } : guardOf(clock)(work, count === 1 ? lineTimeLimit : runTimeLimit);
    if (!run.ok) return this.#handleTimeout(pass, current, count === 1);
    const elapsed = clock.now() - started;
    if (elapsed <= 1) this.#runSize = Math.min(maxRunLines, this.#runSize * 2);
    else if (elapsed >= 3) this.#runSize = Math.max(1, this.#runSize >> 1);
    if (count === 1) this.#suspect = undefined;
    return { kind: 'scanned', ...range, seqs: this.#seqsOf(passed) };
  }

  /**
   * Collects the lines of a run that may match, step by step, so that a few long lines are enough
   * and the collection takes no longer than the run.
   */
  #collectRun(test: LineMatcher, pass: ScanPass): Run {
    const { clock } = this.#options;
    const parts: Batch[] = [];
    const end = clock.now() + collectTime;
    let count = 0;
    let characters = 0;
    let rest: ScanPass = this.#isolateSuspect(pass);
    let { from, to } = limitRange(rest, 0);
    do {
      const range = limitRange(rest, Math.min(this.#stepSize, this.#runSize - count));
      const batch: Batch = { indexes: [], texts: [], services: [] };
      characters += this.#visit(range, test, (index, text, service) => {
        if (test.mayMatch?.(text) === false) return;
        batch.indexes.push(index);
        batch.texts.push(text);
        batch.services.push(service);
      });
      count += batch.texts.length;
      from = Math.min(from, range.from);
      to = Math.max(to, range.to);
      if (batch.texts.length > 0) parts.push(batch);
      rest = pass.part === 'older' ? { ...rest, to: from } : { ...rest, from: to };
    } while (
      rest.from < rest.to &&
      count < this.#runSize &&
      characters < maxRunCharacters &&
      clock.now() < end
    );
    return { from, to, count, parts: pass.part === 'older' ? parts.toReversed() : parts };
  }

  /** Cuts the range before the suspect, or down to the suspect when it comes next. */
  #isolateSuspect(pass: ScanPass): ScanPass {
    if (this.#suspect === undefined) return pass;
    const index = this.#entries.indexOf(this.#suspect.seq);
    if (seqAt(this.#entries, index) !== this.#suspect.seq) this.#suspect = undefined;
    if (this.#suspect === undefined || index < pass.from || index >= pass.to) return pass;
    if (pass.part === 'older') return { ...pass, from: index === pass.to - 1 ? index : index + 1 };
    return { ...pass, to: index === pass.from ? index + 1 : index };
  }

  /** Reports a line that timed out alone twice; a busy machine can cause the first timeout. */
  #handleTimeout(pass: ScanPass, index: number, isAlone: boolean): ScanResult {
    const entry = this.#entries.at(index);
    const seq = entry?.seq ?? 0;
    const before = this.#suspect?.seq === seq ? this.#suspect.timeouts : 0;
    const timeouts = isAlone ? before + 1 : before;
    this.#suspect = timeouts < 2 ? { seq, timeouts } : undefined;
    this.#runSize = Math.max(1, this.#runSize >> 3);
    if (timeouts < 2) return { kind: 'scanned', from: pass.from, to: pass.from, seqs: [] };
    const line = entry?.kind === 'line' ? entry.line : undefined;
    return { kind: 'too-slow', problem: slowPatternProblem(line) };
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

interface Batch {
  readonly indexes: number[];
  readonly texts: string[];
  readonly services: (string | undefined)[];
}

/** Lines of a range that may match, oldest first. */
interface Run extends Range {
  readonly count: number;
  readonly parts: readonly Batch[];
}

/** Returns the first entries of a range, at most so many. */
function limitRange({ part, from, to }: ScanPass, most: number): Range {
  return part === 'older'
    ? { from: Math.max(from, to - most), to }
    : { from, to: Math.min(to, from + most) };
}

function slowPatternProblem(line: LogLine | undefined): QueryProblem {
  const name = line?.id === undefined ? 'a line of this log' : `line ${line.id}`;
  return {
    sentence: `This pattern takes too long on ${name}.`,
    next: 'Simplify it. Tab treats it as text.',
  };
}

/** Returns the names of the deployment of a line. @param member its number in a joined log. */
export type NamesOf = (member: number | undefined) => DeploymentNames;

/** Milliseconds to test all entries. */
const timeLimit = 40;

/** Returns the lines among a few thousand entries that match; none when the test takes too long. */
export function matchEntries(
  entries: readonly Entry<LogLine>[],
  test: LineMatcher,
  clock: Pick<Clock, 'guard'>,
  namesOf?: NamesOf,
): ReadonlySet<Entry<LogLine>> {
  const work = () => new Set(entries.filter((entry) => matchesEntry(entry, test, namesOf)));
  if (test.isCheap) return work();
  const run = guardOf(clock)(work, timeLimit);
  return run.ok ? run.value : new Set();
}

function matchesEntry(entry: Entry<LogLine>, test: LineMatcher, namesOf?: NamesOf): boolean {
  if (entry.kind === 'gap') return false;
  const { logLine, serviceName } = entry.line;
  if (test.mayMatch?.(logLine) === false) return false;
  const names = test.readsDeployment === true ? namesOf?.(entry.member) : undefined;
  return test.matches(logLine, serviceName, names);
}
