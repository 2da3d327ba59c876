/** Ends a program on an unhandled error, with one line in place of a stack trace. */
import { writeSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { foldersOf } from '../config/environment.ts';
import { PartError } from '../system/lazy-part.ts';
import { logCrash } from '../terminal/crash-log.ts';
import { sanitize } from '../terminal/screen/sanitize.ts';

/**
 * Writes the details of an unhandled error to the crash log, and exits with 1. A console
 * that draws has a handler of its own, which restores the terminal.
 */
export function endOnUnhandledErrors(): void {
  const end = (error: unknown): void => {
    if (process.listeners('uncaughtException').at(-1) !== end) return;
    try {
      writeSync(2, `error: ${sanitize(sentenceOf(error))}\n`);
    } catch {
      // stderr can't be written to.
    }
    process.exit(1);
  };
  process.on('uncaughtException', end);
}

function sentenceOf(error: unknown): string {
  if (error instanceof PartError) return error.message;
  const file = path.join(foldersOf(process.env, homedir()).state, 'crash.log');
  const token = process.env['HOSTDECK_TOKEN'] ?? '';
  const redact = (details: string) =>
    token === '' ? details : details.replaceAll(token, '[token]');
  return logCrash(error, { file, redact });
}
