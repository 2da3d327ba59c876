/** Prints the results and problems of a command, by the flags and by where stdout goes. */
import type { Writable } from 'node:stream';
import type { ConfigProblem } from '../../config/environment.ts';
import { formatSuggestion } from '../../contract/sdl/near-name.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { type CommandProblem, usageProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { problemJson, problemLines } from './problem-text.ts';
import { detailsOf, pickFields, type RecordView } from './record-view.ts';
import { detailLines, detailTsvLines, tableLines, tsvLines } from './record-table.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { cellWidth, truncateCells } from '../../terminal/screen/cells.ts';

/** The way of a command to write. Text from outside is made safe here. */
export interface CommandOutput {
  /** Prints records: a table, TSV, a JSON array, or ids. */
  list<T>(records: readonly T[], view: RecordView<T>): Promise<ExitCode>;
  /** Prints one record: rows of titles and values, a JSON object, or its id. */
  record<T>(record: T, view: RecordView<T>): Promise<ExitCode>;
  /** Prints a result in lines; nothing with `--quiet`. With `--json` prints `json` instead. */
  result(lines: readonly string[], json?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Writes to stdout as it is, and waits for the reader. Resolves with false when it has gone. */
  write(data: string | Uint8Array): Promise<boolean>;
  /** Writes a sentence to stderr; nothing with `--quiet`. */
  note(sentence: string): void;
  /** Writes a problem that doesn't stop the command, if there is one, as {@link note} does. */
  warn(problem: ConfigProblem | undefined): void;
  /** Begins a transfer, whose progress is shown on a terminal only. */
  transfer(label: string, total?: number): ReportTransfer;
  /** Writes a problem to stderr and returns its exit code. */
  fail(problem: CommandProblem): ExitCode;
}

export interface CommandOutputOptions {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly now: () => number;
  readonly json: boolean;
  readonly fields: readonly string[] | undefined;
  readonly quiet: boolean;
  /** Returns the cells of a row on the terminal of stderr; undefined where no line can be erased. */
  readonly progressColumns?: (() => number) | undefined;
  /** Aborted by a signal: the requests that this ended are no news. */
  readonly signal: AbortSignal;
}

export function createCommandOutput(options: CommandOutputOptions): CommandOutput {
  const { stdout, stderr, isTerminal, columns, json, fields, quiet, signal } = options;
  const columnsOf = json || quiet ? undefined : options.progressColumns;
  const progress =
    columnsOf === undefined
      ? undefined
      : createProgressLine({
          write: (text) => stderr.write(text),
          columns: columnsOf,
          now: options.now,
        });
  signal.addEventListener('abort', () => progress?.clear());
  let isGone = false;
  stdout.on('error', () => {
    isGone = true;
  });

  const write = (data: string | Uint8Array): Promise<boolean> =>
    new Promise((resolve) => {
      progress?.clear();
      if (isGone) resolve(false);
      else stdout.write(data, (error) => resolve(error === null || error === undefined));
    });
  const writeLines = async (lines: readonly string[]): Promise<void> => {
    if (lines.length > 0) await write(`${lines.join('\n')}\n`);
  };

  const note = (sentence: string): void => {
    progress?.clear();
    if (!quiet) stderr.write(`${sanitize(sentence)}\n`);
  };

  const fail = (problem: CommandProblem): ExitCode => {
    if (signal.aborted && problem.code === 'aborted') return problem.exit;
    progress?.clear();
    const lines = json ? [JSON.stringify(problemJson(problem))] : problemLines(problem);
    stderr.write(`${lines.join('\n')}\n`);
    return problem.exit;
  };

  /** Prints JSON; several records as an array. */
  const writeJson = async <T>(
    records: readonly T[],
    view: RecordView<T>,
    isList: boolean,
  ): Promise<ExitCode> => {
    const whole = records.map((record) => view.json(record));
    const picked = fields === undefined ? undefined : pickFields(whole, fields, view.fields);
    if (picked?.ok === false) {
      const known = picked.known.join(', ');
      return fail(
        usageProblem(
          `Unknown field ${picked.name}.${formatSuggestion(picked.name, picked.known)}`,
          `Fields: ${known}.`,
        ),
      );
    }
    const chosen = picked?.records ?? whole;
    await writeLines([JSON.stringify(isList ? chosen : chosen[0], undefined, isTerminal ? 2 : 0)]);
    return exitCodes.done;
  };

  return {
    async list(records, view) {
      if (json) return writeJson(records, view, true);
      if (quiet) await writeLines(records.map((record) => sanitize(view.id(record))));
      else if (!isTerminal) await writeLines(tsvLines(records, view.columns));
      else if (records.length > 0)
        await writeLines(tableLines(records, view.columns, columns, options.now()));
      return exitCodes.done;
    },
    async record(record, view) {
      if (json) return writeJson([record], view, false);
      if (quiet) await writeLines([sanitize(view.id(record))]);
      else {
        const rows = detailsOf(record, view, options.now());
        await writeLines(isTerminal ? detailLines(rows) : detailTsvLines(rows));
      }
      return exitCodes.done;
    },
    async result(lines, value) {
      if (json) {
        if (value !== undefined)
          await writeLines([JSON.stringify(value, undefined, isTerminal ? 2 : 0)]);
      } else if (!quiet) await writeLines(lines.map((line) => sanitize(line)));
    },
    write,
    transfer(label, total) {
      const report = progress?.begin(label, total);
      return (done, known) => {
        if (!signal.aborted) report?.(done, known);
      };
    },
    note,
    warn(problem) {
      if (problem !== undefined) note(`${problem.sentence} ${problem.next}`);
    },
    fail,
  };
}

/** Reports the bytes so far, and all bytes where they are known only now. */
type ReportTransfer = (done: number, total?: number) => void;

interface ProgressLine {
  /** Begins a transfer. Its line appears when it is large, or takes long. */
  begin(label: string, total?: number): ReportTransfer;
  /** Erases the line, if there is one. */
  clear(): void;
}

interface ProgressLineOptions {
  readonly write: (text: string) => void;
  /** Returns the cells of a row. */
  readonly columns: () => number;
  /** Returns the time in ms since the epoch. */
  readonly now: () => number;
}

/** Bytes from which a transfer is shown at once, and ms after which a smaller one is. */
const largeBytes = 1_000_000;
const longTime = 1000;

/** Milliseconds between two lines. */
const interval = 100;

export function createProgressLine({ write, columns, now }: ProgressLineOptions): ProgressLine {
  let isShown = false;
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    begin(label, expected) {
      const startedAt = now();
      shownAt = Number.NEGATIVE_INFINITY;
      return (done, total = expected) => {
        const at = now();
        if ((total ?? done) < largeBytes && at - startedAt < longTime) return;
        if (at - shownAt < interval) return;
        shownAt = at;
        isShown = true;
        const text = progressText(label, { done, total, milliseconds: at - startedAt }, columns());
        write(`\r${text}\u001b[K`);
      };
    },
    clear() {
      if (isShown) write('\r\u001b[K');
      isShown = false;
    },
  };
}

interface Progress {
  readonly done: number;
  readonly total: number | undefined;
  readonly milliseconds: number;
}

/** Returns a line such as `shop/web:a.iso  12.0 MB of 96.0 MB  12%  4.0 MB/s`. */
function progressText(
  label: string,
  { done, total, milliseconds }: Progress,
  columns: number,
): string {
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
  const facts = [
    total === undefined ? formatBytes(done) : `${formatBytes(done)} of ${formatBytes(total)}`,
    ...(share === undefined ? [] : [`${Math.floor(share * 100)}%`]),
    ...(milliseconds < longTime
      ? []
      : [`${formatBytes(Math.round(done / (milliseconds / 1000)))}/s`]),
  ].join('  ');
  // A full row would wrap, and could not be erased.
  const room = columns - 1 - cellWidth(facts) - 2;
  const name = room < 1 ? '' : `${truncateCells(sanitize(label), room)}  `;
  return truncateCells(`${name}${facts}`, Math.max(0, columns - 1));
}
