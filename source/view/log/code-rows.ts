/** The rows of a line's details for the places in code that it and its stack trace name. */
import type { FilesPlace } from '../../store/files/files.ts';
import { isForeign } from '../../store/log/code/file-at.ts';
import { filePlaces, placesOfTrace, type Trace } from '../../store/log/code/trace-lines.ts';
import type { Entry } from '../../tail/arena/entries.ts';
import type { LogLine } from '../../contract/logs.ts';
import type { DetailRow } from '../text/detail-rows.ts';
import { column } from '../text/fit.ts';
import { span } from '../text/line.ts';
import type { LineSubject } from './line-subject.ts';

/** Most places that are offered. */
const mostRows = 12;

const ownTraces = new WeakMap<Entry<LogLine>, Trace>();

/** Returns the trace of a line: the line alone, where no lines around it are known. */
function traceOfSubject({ entry, trace }: LineSubject): Trace | undefined {
  if (entry.kind === 'gap' || trace !== undefined) return trace;
  const own = ownTraces.get(entry) ?? { lines: [entry.line.logLine], at: 0 };
  ownTraces.set(entry, own);
  return own;
}

/** Returns whether a line or its trace names places in code. */
export function namesCode(subject: LineSubject): boolean {
  const trace = traceOfSubject(subject);
  return trace !== undefined && placesOfTrace(trace).some((places) => places.length > 0);
}

/** Returns the places in files of the service; the first one is the one to open. */
export function codeRows(
  subject: LineSubject,
  service: FilesPlace | undefined,
  paths: readonly string[] | undefined,
): readonly DetailRow[] {
  const trace = traceOfSubject(subject);
  if (trace === undefined || service === undefined || paths === undefined) return [];
  const places = filePlaces(trace, placesOfTrace(trace), paths).slice(0, mostRows);
  return places.map(({ file: path, line }, index) => {
    const shown = `${path}:${line}`;
    return {
      key: `code ${shown}`,
      line: [
        span(column(index === 0 ? 'code' : '', 12), 'quiet'),
        span(shown, isForeign(path) ? 'quiet' : 'info'),
      ],
      value: shown,
      code: { ...service, path, line },
    };
  });
}
