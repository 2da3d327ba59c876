import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, seqAt, type LineVisitor } from '../../../tail/arena/entries.ts';
import type { LineMatcher, QueryProblem } from '../../../tail/query/log-query.ts';
import type { DeploymentNames } from '../../../tail/query/query-terms.ts';
import type { Clock, Guard } from '../../time/clock.ts';
import type { NamesOf } from './match-entries.ts';

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

export interface LineScanner {
  /** Scans the beginning of a range for a few milliseconds at most. */
  scan(test: LineMatcher, pass: ScanPass): ScanResult;
  reset(): void;
}

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

export function createLineScanner(options: {
  readonly entries: Entries<LogLine>;
  readonly clock: Clock;
  readonly guard: Guard;
  /** Returns the numbers of the joined logs whose lines are scanned; undefined for all. */
  readonly members?: (() => ReadonlySet<number> | undefined) | undefined;
  /** Returns the names of the deployment of a line, for the term `deployment:`. */
  readonly namesOf?: NamesOf | undefined;
}): LineScanner {
  const { entries, clock, guard, members, namesOf } = options;
  /** Lines of a step, adapted to the length of the last lines. */
  let stepSize = firstLines;
  /** Lines of a run, adapted to the duration of the last run. */
  let runSize = firstLines;
  /** The line at which a run timed out, and how often it has timed out alone. */
  let suspect: { readonly seq: number; readonly timeouts: number } | undefined;

  /** Lines that were scanned with the prefilter, and lines that passed it. */
  let prefilterStats = { lines: 0, passed: 0 };

  const seqsOf = (indexes: readonly number[]): number[] =>
    indexes.map((index) => seqAt(entries, index) ?? 0);

  /** Calls back with the lines of a step that may match, and returns their characters. */
  const scan = ({ from, to }: Range, { prefilter }: LineMatcher, see: LineVisitor): number => {
    let characters = 0;
    let lines = 0;
    const chosen = members?.();
    const countLine: LineVisitor = (index, text, service) => {
      if (chosen !== undefined && !chosen.has(entries.memberAt?.(index) ?? 0)) return;
      characters += text.length;
      lines += 1;
      see(index, text, service);
    };
    const isPrefiltered =
      prefilter !== undefined && prefilterStats.passed * 2 <= prefilterStats.lines + prefilterTrial;
    const scannedCharacters = entries.scan(
      from,
      to,
      countLine,
      isPrefiltered ? prefilter : undefined,
    );
    if (isPrefiltered)
      prefilterStats = {
        lines: prefilterStats.lines + to - from,
        passed: prefilterStats.passed + lines,
      };
    const factor = isPrefiltered && lines * 8 <= to - from ? prefilteredFactor : 1;
    const byLength = (maxStepCharacters * (to - from)) / Math.max(1, scannedCharacters);
    stepSize = Math.max(1, Math.floor(factor * Math.min(maxStepLines, byLength)));
    return characters;
  };

  /** Returns what names the deployment of an entry; undefined for a test that needs no name. */
  const namesAtOf = (test: LineMatcher): ((index: number) => DeploymentNames) | undefined =>
    namesOf === undefined || test.readsDeployment !== true
      ? undefined
      : (index) => namesOf(entries.memberAt?.(index));

  /** Runs a cheap test inside the callback. */
  const scanDirectly = (test: LineMatcher, pass: ScanPass): ScanResult => {
    const range = limitRange(pass, stepSize);
    const passed: number[] = [];
    const namesAt = namesAtOf(test);
    scan(range, test, (index, text, service) => {
      if (test.matches(text, service, namesAt?.(index))) passed.push(index);
    });
    return { kind: 'scanned', ...range, seqs: seqsOf(passed) };
  };

  /** Runs an expensive test on lines collected before, because a timeout can end it anywhere. */
  const scanWithLimit = (test: LineMatcher, pass: ScanPass): ScanResult => {
    const { parts, count, ...range } = collectRun(test, pass);
    const namesAt = namesAtOf(test);
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
      count === 0 ? { ok: true } : guard(work, count === 1 ? lineTimeLimit : runTimeLimit);
    if (!run.ok) return handleTimeout(pass, current, count === 1);
    const elapsed = clock.now() - started;
    if (elapsed <= 1) runSize = Math.min(maxRunLines, runSize * 2);
    else if (elapsed >= 3) runSize = Math.max(1, runSize >> 1);
    if (count === 1) suspect = undefined;
    return { kind: 'scanned', ...range, seqs: seqsOf(passed) };
  };

  /**
   * Collects the lines of a run that may match, step by step, so that a few long lines are enough
   * and the collection takes no longer than the run.
   */
  const collectRun = (test: LineMatcher, pass: ScanPass): Run => {
    const parts: Batch[] = [];
    const end = clock.now() + collectTime;
    let count = 0;
    let characters = 0;
    let rest: ScanPass = isolateSuspect(pass);
    let { from, to } = limitRange(rest, 0);
    do {
      const range = limitRange(rest, Math.min(stepSize, runSize - count));
      const batch: Batch = { indexes: [], texts: [], services: [] };
      characters += scan(range, test, (index, text, service) => {
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
      count < runSize &&
      characters < maxRunCharacters &&
      clock.now() < end
    );
    return { from, to, count, parts: pass.part === 'older' ? parts.toReversed() : parts };
  };

  /** Cuts the range before the suspect, or down to the suspect when it comes next. */
  const isolateSuspect = (pass: ScanPass): ScanPass => {
    if (suspect === undefined) return pass;
    const index = entries.indexOf(suspect.seq);
    if (seqAt(entries, index) !== suspect.seq) suspect = undefined;
    if (suspect === undefined || index < pass.from || index >= pass.to) return pass;
    if (pass.part === 'older') return { ...pass, from: index === pass.to - 1 ? index : index + 1 };
    return { ...pass, to: index === pass.from ? index + 1 : index };
  };

  /** Reports a line that timed out alone twice; a busy machine can cause the first timeout. */
  const handleTimeout = (pass: ScanPass, index: number, isAlone: boolean): ScanResult => {
    const entry = entries.at(index);
    const seq = entry?.seq ?? 0;
    const before = suspect?.seq === seq ? suspect.timeouts : 0;
    suspect = { seq, timeouts: isAlone ? before + 1 : before };
    runSize = Math.max(1, runSize >> 3);
    if (suspect.timeouts < 2) return { kind: 'scanned', from: pass.from, to: pass.from, seqs: [] };
    suspect = undefined;
    return {
      kind: 'too-slow',
      problem: slowPatternProblem(entry?.kind === 'line' ? entry.line : undefined),
    };
  };

  return {
    scan: (test, pass) => (test.isCheap ? scanDirectly(test, pass) : scanWithLimit(test, pass)),
    reset() {
      stepSize = firstLines;
      runSize = firstLines;
      suspect = undefined;
      prefilterStats = { lines: 0, passed: 0 };
    },
  };
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
