import { appendFileSync, closeSync, fchmodSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { withSourceLines } from './source-lines.ts';

export interface CrashLogOptions {
  /** Appended to, readable by its owner only; folders are made. */
  readonly file: string;
  /** Takes secrets out of the details before they are written. */
  readonly redact?: (details: string) => string;
}

/**
 * Writes what is known of an error to the crash log, synchronously, and gives the one sentence that
 * a person gets to see. Never throws.
 */
export function logCrash(
  error: unknown,
  { file, redact = (text) => text }: CrashLogOptions,
): string {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const descriptor = openSync(file, 'a', 0o600);
    fchmodSync(descriptor, 0o600); // It may have been there with other rights.
    const details = redact(withSourceLines(inspect(error, { depth: 4 })));
    appendFileSync(descriptor, `${new Date().toISOString()}\n${details}\n\n`);
    closeSync(descriptor);
    return `hostdeck ended because of a fault of its own; the details are in ${file}`;
  } catch (failure) {
    const { code = 'unknown error' } = failure as NodeJS.ErrnoException;
    return `hostdeck ended because of a fault of its own, and its details could not be written to ${file} (${code})`;
  }
}
