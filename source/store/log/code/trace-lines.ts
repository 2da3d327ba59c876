/** The lines of the stack trace that a log line belongs to. */
import { stripSilentCodes } from '../../../tail/silent-codes.ts';
import { codePlaces, type CodePlace } from './code-places.ts';
import { fileOfPlace, isForeign } from './file-at.ts';

/** A stack trace, of which each line is a line of the log. */
export interface Trace {
  readonly lines: readonly string[];
  /** Index of the line from which the others were found. */
  readonly at: number;
}

/** Most lines of a trace on either side of the one under the cursor. */
const mostLines = 100;

/** Starts of lines that continue the one before: blanks, frames, and what introduces frames. */
const starts = [
  String.raw`\s`,
  '$',
  'at ',
  'from ',
  String.raw`#\d+ `,
  'Caused by: ',
  'Suppressed: ',
  'Stack trace:',
  String.raw`\[stacktrace\]`,
  'stack backtrace:',
  String.raw`Traceback \(most`,
  'During handling of ',
  'The above exception',
  // Go: of another routine, of a signal, and the function above the file of a frame.
  String.raw`goroutine \d`,
  'created by ',
  String.raw`\[signal `,
  String.raw`(?:[\w.\-/]+\.[\w.*()[\]{}]+|panic)\(.*\)$`,
  // Rails writes frames without indentation.
  String.raw`[\w-]+(?:\/[\w-]+)*\.rb:\d+:in `,
  'note: ',
  String.raw`Node\.js v`,
];
const continuation = new RegExp(`^(?:${starts.join('|')})`);
/** The exception below the frames of Python, which another trace may follow. */
const exception = /^[A-Za-z_][\w.]*[a-z]\w*(?:: |$)/;

/**
 * Returns the trace that a line belongs to: from the line above it that begins the trace to the last
 * one that continues it.
 * @param older texts of the lines before, the nearest first; only as many are read as needed.
 */
export function traceAround(text: string, older: Iterable<string>, newer: Iterable<string>): Trace {
  const before: string[] = [];
  if (continuation.test(text)) {
    for (const line of older) {
      before.push(line);
      if (before.length >= mostLines || !continuation.test(line)) break;
    }
  }
  const after: string[] = [];
  for (const line of newer) {
    const isExceptionBelow = /^ {2}/.test(after.at(-1) ?? '') && exception.test(line);
    if (after.length >= mostLines || !(continuation.test(line) || isExceptionBelow)) break;
    after.push(line);
  }
  return { lines: [...before.toReversed(), text, ...after], at: before.length };
}

/** A place of a trace in a file of the service. */
export interface TraceFile {
  readonly file: string;
  readonly line: number;
}

/** Python writes the frame that failed last. */
const failsLast = /^(?:Traceback \(most recent call last\)| *File ".*", line \d)/;

/** The places that a trace names, line by line. */
export type TracePlaces = readonly (readonly CodePlace[])[];

const placesCache = new WeakMap<Trace, TracePlaces>();

/** Returns the places that a trace names; they are looked for once. */
export function placesOfTrace(trace: Trace): TracePlaces {
  const places =
    placesCache.get(trace) ?? trace.lines.map((line) => codePlaces(stripSilentCodes(line)));
  placesCache.set(trace, places);
  return places;
}

/**
 * Returns the places of a trace in files of a service, each once, in the order of the trace. The first
 * one is the one to open: of the line under the cursor, else of the frame nearest to the failure; code
 * of dependencies gives way to other code.
 */
export function filePlaces(
  { lines, at }: Trace,
  places: TracePlaces,
  files: readonly string[],
): readonly TraceFile[] {
  const found = new Map<string, TraceFile & { readonly index: number }>();
  for (const [index, named] of places.entries()) {
    for (const place of named) {
      const file = fileOfPlace(place, files);
      const key = `${file}:${place.line}`;
      const isFirst = !found.has(key) || index === at;
      if (file !== undefined && isFirst) found.set(key, { file, line: place.line, index });
    }
  }
  const all = [...found.values()].toSorted((left, right) => left.index - right.index);
  const topFirst = lines.some((line) => failsLast.test(line)) ? all.toReversed() : all;
  const first =
    topFirst.find(({ file, index }) => index === at && !isForeign(file)) ??
    topFirst.find(({ file }) => !isForeign(file)) ??
    topFirst[0];
  if (first === undefined) return [];
  return [first, ...all.filter((each) => each !== first)].map(({ file, line }) => ({ file, line }));
}
