import { appendFileSync, closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { withSourceLines } from './source-lines.ts';

export interface CrashLogOptions {
  /** The file to append to, readable by its owner only. Missing folders are created. */
  readonly file: string;
  /** Removes secrets from the details before they are written. */
  readonly redact?: (details: string) => string;
}

/**
 * Appends the details of an error to the crash log, synchronously, and returns the sentence to show.
 * Never throws.
 */
export function logCrash(
  error: unknown,
  { file, redact = (text) => text }: CrashLogOptions,
): string {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(file, 'a', 0o600);
    fchmodSync(descriptor, 0o600); // An existing file may have had other permissions.
    const details = redact(withSourceLines(inspect(error, { depth: 4 })));
    appendFileSync(descriptor, `${new Date().toISOString()}\n${details}\n\n`);
    closeSync(descriptor);
    return `hostdeck crashed. Details are in ${file}`;
  } catch (failure) {
    const { code = 'unknown error' } = failure as NodeJS.ErrnoException;
    return `hostdeck crashed. Its details could not be written to ${file} (${code})`;
  }
}
