/** Reads a corpus of labelled lines: `NAME.log` and the columns of `NAME.log_structured.csv`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export interface LabelledLine {
  /** The line as the log has it. */
  readonly text: string;
  /** The columns of the table by their names. */
  readonly columns: Readonly<Record<string, string>>;
}

const ending = '_structured.csv';

/** Returns the logs with a table below a folder, as the paths of their lines. */
export function labelledLogs(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name.slice(0, -ending.length)))
    .toSorted();
}

/** Returns the lines of a log with the columns of its table. */
export function labelledLines(log: string): readonly LabelledLine[] {
  const lines = readFileSync(log, 'utf8').split(/\r?\n/);
  const [names = [], ...records] = csvRecords(readFileSync(`${log}${ending}`, 'utf8'));
  return records.map((record, index) => ({
    text: lines[index] ?? '',
    columns: Object.fromEntries(names.map((name, at) => [name, record[at] ?? ''])),
  }));
}

/** Returns the fields of each record of a CSV text (RFC 4180). */
export function csvRecords(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(
    /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g,
  )) {
    record.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    if (record.length > 1 || record[0] !== '') records.push(record);
    record = [];
  }
  return records;
}
