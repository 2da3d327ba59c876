import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isClaimedFolder } from './records/data-folder.ts';
import { StartFailure, type StartFailureCode } from './start-failure.ts';

/**
 * Writes the reason why a leased host did not start into its data folder, for the console that
 * waits for it: a leased host has no terminal. Writes nothing into a folder that no host has
 * claimed; the console detects an unusable folder on its own.
 */
export function writeFailureNote(dataDir: string, failure: StartFailure): void {
  const { code, sentence, next } = failure;
  if (!isClaimedFolder(dataDir)) return;
  try {
    writeFileSync(noteFile(dataDir), JSON.stringify({ code, sentence, next }), { mode: 0o600 });
  } catch {
    // Without the note the console's own timeout applies.
  }
}

/** Deletes the note of an earlier start. */
export function clearFailureNote(dataDir: string): void {
  rmSync(noteFile(dataDir), { force: true });
}

/** Returns the failure written since the last {@link clearFailureNote}. */
export function readFailureNote(dataDir: string): StartFailure | undefined {
  try {
    const note = JSON.parse(readFileSync(noteFile(dataDir), 'utf8')) as {
      readonly code: StartFailureCode;
      readonly sentence: string;
      readonly next: string;
    };
    return new StartFailure(note.code, note.sentence, note.next);
  } catch {
    // The note is missing, or the host is still writing it.
    return undefined;
  }
}

function noteFile(dataDir: string): string {
  return path.join(dataDir, 'start-failure.json');
}
