import { keyName } from '../prompts/key-names.ts';
import type { Result } from '../../client/http/errors.ts';
import type { PendingRestart } from './journal.ts';
import type { Restart } from './state.ts';
import type { Tone } from '../prompts/tone.ts';

/** Formats the time left of a countdown in seconds, rounded up. */
export function secondsLeft(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)}s`;
}

/** Formats a number of files: `1 file`, `2 files`. */
export function fileCountText(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

function changesText(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`;
}

/** Reports the restart that applies a saved file, as the second sentence after the save. */
export function countingSentence(name: string, restart: Restart | undefined): string {
  switch (restart?.kind) {
    case 'counting':
      return `${name} restarts in ${secondsLeft(restart.left)}. ${keyName('restarts.restart', '^R')} changes that.`;
    case 'restarting':
      return `${name} restarts again to apply it.`;
    case 'failed':
    case 'unknown':
    case 'unapplied':
    case 'owed':
    case undefined:
      return `Unapplied; ${keyName('restarts.restart', '^R')} restarts ${name}.`;
  }
}

/**
 * Reports a cancelled countdown.
 * @param key key that restarts in the focused pane.
 */
export function cancelledSentence(name: string, changes: number, key: string): string {
  return `Restart of ${name} cancelled. ${changesText(changes)} unapplied; ${key} restarts.`;
}

/**
 * Reports the answer to a restart.
 * @param after state of the restart after the answer.
 * @param key key that restarts in the focused pane.
 */
export function answerSentence(
  name: string,
  result: Result<void>,
  after: Restart | undefined,
  key: string,
): { readonly text: string; readonly tone: Tone } {
  const next =
    after?.kind === 'counting' ? ` ${name} restarts again in ${secondsLeft(after.left)}.` : '';
  if (result.ok) {
    return { text: `${name} is restarting.${next}`, tone: 'good' };
  }
  const { error } = result;
  if (error.unknownOutcome) {
    const advice = next === '' ? ` Check its log; ${key}: restart again.` : next;
    return { text: `${name} may have restarted.${advice}`, tone: 'bad' };
  }
  const { status, sentence } = error;
  const reason = status === undefined ? `: ${sentence.replace(/\.$/, '')}` : ` (${status})`;
  const unapplied = after?.changes === undefined ? '' : ' Changes are unapplied.';
  const advice = next === '' ? `${unapplied} ${key}: restart again.` : next;
  return { text: `Restart of ${name} failed${reason}.${advice}`, tone: 'bad' };
}

/** Summarises the restarts left pending by an earlier run: `1 restart of shop (2 files)`. */
export function pendingRestartText(owed: readonly PendingRestart[]): string | undefined {
  const [first, ...others] = owed;
  if (first === undefined) return undefined;
  const files = owed.reduce((sum, entry) => sum + entry.files.length, 0);
  return others.length === 0
    ? `1 restart of ${first.name} (${fileCountText(files)})`
    : `${owed.length} restarts (${fileCountText(files)})`;
}
