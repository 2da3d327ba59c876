import { appendFileSync, closeSync, fchmodSync, openSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { makeFolderSync } from '../system/make-folder.ts';

export interface CrashLogOptions {
  /** The file to append to, readable by its owner only. Missing folders are created. */
  readonly file: string;
  /** Removes secrets from the details before they are written. */
  readonly redact?: (details: string) => string;
}

/**
 * Appends the details of an error to the crash log, synchronously, and returns the sentence to show.
 * Never throws.
 * @param what what happened to the program, without a full stop.
 */
export function logCrash(
  error: unknown,
  { file, redact = (text) => text }: CrashLogOptions,
  what = 'hostdeck crashed',
): string {
  try {
    append(redact(withSourceLines(inspect(error, { depth: 4 }))), file);
    return `${what}. Details are in ${file}`;
  } catch (failure) {
    const { code = 'unknown error' } = failure as NodeJS.ErrnoException;
    const reason = redact(error instanceof Error ? error.message : String(error));
    return `${what}: ${reason}. Its details could not be written to ${file} (${code})`;
  }
}

/** Appends a line to the crash log, if it can be written. */
export function logEnd(line: string, { file }: Pick<CrashLogOptions, 'file'>): void {
  try {
    append(line, file);
  } catch {
    // There is no other place to write to.
  }
}

function append(text: string, file: string): void {
  makeFolderSync(path.dirname(file));
  const descriptor = openSync(file, 'a', 0o600);
  fchmodSync(descriptor, 0o600); // An existing file may have had other permissions.
  appendFileSync(descriptor, `${new Date().toISOString()}\n${text}\n\n`);
  closeSync(descriptor);
}

/** A position in a stack trace: a built file, its line and its column, both from 1. */
const position = /((?:file:\/\/)?\/[^\s()]+\.js):(\d+):(\d+)/g;

/**
 * Returns a stack trace with source lines in place of those of built files that have a source map
 * beside them, as a build in a checkout does. Positions without a map stay as they are.
 */
export function withSourceLines(trace: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return trace.replaceAll(
    position,
    (built: string, place: string, line: string, column: string) => {
      const file = place.startsWith('file:') ? fileURLToPath(place) : place;
      const map = maps.get(file) ?? readMap(`${file}.map`);
      maps.set(file, map);
      const entry = map?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry === undefined || !('originalSource' in entry)) return built;
      const source = path.resolve(path.dirname(file), entry.originalSource);
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}

function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
