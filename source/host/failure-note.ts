import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isClaimed } from './records/data-folder.ts';
import { StartFailure, type StartFailureCode } from './start-failure.ts';

/**
 * A leased host has no terminal: why it did not start is left in the data folder for the console
 * that waits for it. Nothing is left where the folder itself is the reason; the console finds that
 * out on its own. Nothing is written into a folder that no host has claimed.
 */
export function noteFailure(dataDir: string, failure: StartFailure): void {
  const { code, sentence, next } = failure;
  if (!isClaimed(dataDir)) return;
  try {
    writeFileSync(noteFile(dataDir), JSON.stringify({ code, sentence, next }), { mode: 0o600 });
  } catch {
    // The console gives up waiting by itself.
  }
}

export function clearFailure(dataDir: string): void {
  rmSync(noteFile(dataDir), { force: true });
}

/** The failure that was noted since the last {@link clearFailure}. */
export function readFailure(dataDir: string): StartFailure | undefined {
  try {
    const note = JSON.parse(readFileSync(noteFile(dataDir), 'utf8')) as {
      readonly code: StartFailureCode;
      readonly sentence: string;
      readonly next: string;
    };
    return new StartFailure(note.code, note.sentence, note.next);
  } catch {
    // None, or one that is just being written.
    return undefined;
  }
}

function noteFile(dataDir: string): string {
  return path.join(dataDir, 'start-failure.json');
}
