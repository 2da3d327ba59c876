import type { LogLine } from '../../../contract/logs.ts';
import { type Entries, seqAt, type See } from '../../../tail/arena/entries.ts';
import type { LineTest, QueryProblem } from '../../../tail/query/log-query.ts';
import type { Clock, Guard } from '../../time/clock.ts';

/** Entries to look at: `older` ones from the last on, all others from the first on. */
export interface ScanPass {
  readonly part: 'inside' | 'newer' | 'older';
  readonly from: number;
  readonly to: number;
}

/** What was looked at of it, and which lines passed; nothing when it is to be tried again. */
export type ScanResult =
  | {
      readonly kind: 'looked';
      readonly from: number;
      readonly to: number;
      readonly seqs: readonly number[];
    }
  | { readonly kind: 'too-slow'; readonly problem: QueryProblem };

export interface LineScanner {
  /** Looks at a part, some milliseconds long at most. */
  look(test: LineTest, look: ScanPass): ScanResult;
  reset(): void;
}

/** A step takes in so many lines, less when they are long: nobody looks at the time within it. */
const stepLines = 1024;
const stepCharacters = 1 << 17;
/** As many times that, where few of them pass a sieve. */
const sievedStep = 4;
/** Lines of the first step and of the first run, which may be slow. */
const firstLines = 256;
/** A bounded run takes in many steps: the bound costs as much as hundreds of lines. */
const runLines = 1 << 13;
const runCharacters = 1 << 19;
/** Milliseconds in which the lines of a run are taken out, about. */
const takeTime = 4;
/** A sieve that lets most of so many lines pass is not worth its time. */
const sieveTried = 1024;
/** Milliseconds that a bounded run may take; ten times as long as it should. */
const runLimit = 40;
/** As much for a single line, on which a busy machine must not be mistaken for a bad pattern. */
const aloneLimit = 100;

export function createLineScanner(options: {
  readonly entries: Entries<LogLine>;
  readonly clock: Clock;
  readonly guard: Guard;
}): LineScanner {
  const { entries, clock, guard } = options;
  /** Lines of a step, by how long the last ones were. */
  let step = firstLines;
  /** Lines that a bounded run gets through in time, by how long the last one took. */
  let bounded = firstLines;
  /** The line at which a run was ended, looked at alone since then; and how often it was. */
  let suspect: { readonly seq: number; readonly ended: number } | undefined;

  /** How much of what was looked at so far passed the sieve of the test. */
  let sieved = { lines: 0, passed: 0 };

  const seqsOf = (indexes: readonly number[]): number[] =>
    indexes.map((index) => seqAt(entries, index) ?? 0);

  /** Hands over the lines of a step that may pass the test, and gives the characters of those. */
  const scan = ({ from, to }: Stretch, { sieve }: LineTest, see: See): number => {
    let characters = 0;
    let lines = 0;
    const take: See = (index, text, service) => {
      characters += text.length;
      lines += 1;
      see(index, text, service);
    };
    const isSieved = sieve !== undefined && sieved.passed * 2 <= sieved.lines + sieveTried;
    const seen = entries.scan(from, to, take, isSieved ? sieve : undefined);
    if (isSieved) sieved = { lines: sieved.lines + to - from, passed: sieved.passed + lines };
    const most = isSieved && lines * 8 <= to - from ? sievedStep : 1;
    const byLength = (stepCharacters * (to - from)) / Math.max(1, seen);
    step = Math.max(1, Math.floor(most * Math.min(stepLines, byLength)));
    return characters;
  };

  /** A cheap test is done while lines are handed over. */
  const lookAtOnce = (test: LineTest, look: ScanPass): ScanResult => {
    const stretch = endOf(look, step);
    const passed: number[] = [];
    scan(stretch, test, (index, text, service) => {
      if (test.matches(text, service)) passed.push(index);
    });
    return { kind: 'looked', ...stretch, seqs: seqsOf(passed) };
  };

  /** Others are done on lines taken out before: a run may be ended anywhere in what it does. */
  const lookBounded = (test: LineTest, look: ScanPass): ScanResult => {
    const { parts, count, ...stretch } = taken(test, look);
    const passed: number[] = [];
    let slow = stretch.from;
    const work = () => {
      for (const { indexes, texts, services } of parts) {
        for (let at = 0; at < texts.length; at += 1) {
          slow = indexes[at] ?? slow;
          if (test.matches(texts[at] ?? '', services[at])) passed.push(slow);
        }
      }
    };
    const started = clock.now();
    const run = count === 0 ? { ok: true } : guard(work, count === 1 ? aloneLimit : runLimit);
    if (!run.ok) return ended(look, slow, count === 1);
    const took = clock.now() - started;
    if (took <= 1) bounded = Math.min(runLines, bounded * 2);
    else if (took >= 3) bounded = Math.max(1, bounded >> 1);
    if (count === 1) suspect = undefined;
    return { kind: 'looked', ...stretch, seqs: seqsOf(passed) };
  };

  /**
   * The lines of a run that may match, step by step so that a few long ones are enough, and so that
   * looking for them takes no longer than the run.
   */
  const taken = (test: LineTest, look: ScanPass): Run => {
    const parts: Taken[] = [];
    const end = clock.now() + takeTime;
    let count = 0;
    let characters = 0;
    let rest: ScanPass = apart(look);
    let { from, to } = endOf(rest, 0);
    do {
      const stretch = endOf(rest, Math.min(step, bounded - count));
      const part: Taken = { indexes: [], texts: [], services: [] };
      characters += scan(stretch, test, (index, text, service) => {
        if (test.mayMatch?.(text) === false) return;
        part.indexes.push(index);
        part.texts.push(text);
        part.services.push(service);
      });
      count += part.texts.length;
      from = Math.min(from, stretch.from);
      to = Math.max(to, stretch.to);
      if (part.texts.length > 0) parts.push(part);
      rest = look.part === 'older' ? { ...rest, to: from } : { ...rest, from: to };
    } while (
      rest.from < rest.to &&
      count < bounded &&
      characters < runCharacters &&
      clock.now() < end
    );
    return { from, to, count, parts: look.part === 'older' ? parts.toReversed() : parts };
  };

  /** What is looked at without the suspect, or the suspect alone when its turn has come. */
  const apart = (look: ScanPass): ScanPass => {
    if (suspect === undefined) return look;
    const index = entries.indexOf(suspect.seq);
    if (seqAt(entries, index) !== suspect.seq) suspect = undefined;
    if (suspect === undefined || index < look.from || index >= look.to) return look;
    if (look.part === 'older') return { ...look, from: index === look.to - 1 ? index : index + 1 };
    return { ...look, to: index === look.from ? index + 1 : index };
  };

  /** A line that was ended alone twice is to blame; before, it may have been the machine. */
  const ended = (look: ScanPass, index: number, isAlone: boolean): ScanResult => {
    const entry = entries.at(index);
    const seq = entry?.seq ?? 0;
    const before = suspect?.seq === seq ? suspect.ended : 0;
    suspect = { seq, ended: isAlone ? before + 1 : before };
    bounded = Math.max(1, bounded >> 3);
    if (suspect.ended < 2) return { kind: 'looked', from: look.from, to: look.from, seqs: [] };
    suspect = undefined;
    return { kind: 'too-slow', problem: tooSlow(entry?.kind === 'line' ? entry.line : undefined) };
  };

  return {
    look: (test, look) => (test.isCheap ? lookAtOnce(test, look) : lookBounded(test, look)),
    reset() {
      step = firstLines;
      bounded = firstLines;
      suspect = undefined;
      sieved = { lines: 0, passed: 0 };
    },
  };
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

interface Taken {
  readonly indexes: number[];
  readonly texts: string[];
  readonly services: (string | undefined)[];
}

/** Lines of a stretch that may match, oldest first, and how many. */
interface Run extends Stretch {
  readonly count: number;
  readonly parts: readonly Taken[];
}

/** The entries of a part that come first. */
function endOf({ part, from, to }: ScanPass, most: number): Stretch {
  return part === 'older'
    ? { from: Math.max(from, to - most), to }
    : { from, to: Math.min(to, from + most) };
}

function tooSlow(line: LogLine | undefined): QueryProblem {
  const name = line?.id === undefined ? 'a line of this log' : `line ${line.id}`;
  return {
    sentence: `This pattern takes too long on ${name}.`,
    next: 'Repeat less in it, or Tab takes it as text.',
  };
}
