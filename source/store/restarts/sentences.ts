import type { Result } from '../../client/http/errors.ts';
import type { PendingRestart } from './journal.ts';
import type { Restart } from './state.ts';
import type { Tone } from '../prompts/tone.ts';

/** Keys that ask for a restart. */
export type RestartKey = 'r' | '^R';

/** Seconds as they are counted down: never 0 while something is left. */
export function secondsLeft(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)}s`;
}

/** `1 file`, `2 files`. */
export function fileCountText(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}

function changesText(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`;
}

/** The second half of what is said of a saved file: what becomes of it. */
export function countingSentence(name: string, restart: Restart | undefined): string {
  switch (restart?.kind) {
    case 'counting':
      return `${name} restarts in ${secondsLeft(restart.left)}. ^R: now or cancel.`;
    case 'restarting':
      return `${name} restarts once more for it.`;
    case 'failed':
    case 'unknown':
    case 'not applied':
    case 'owed':
    case undefined:
      return `Not applied; ^R restarts ${name}.`;
  }
}

/** `key` is the one that asks for a restart where this is read, here and below. */
export function cancelledSentence(name: string, changes: number, key: RestartKey): string {
  return `Restart of ${name} cancelled. ${changesText(changes)} not applied; ${key} restarts.`;
}

/** What came of a restart that was sent; `after` is what it is at now. */
export function answerSentence(
  name: string,
  result: Result<void>,
  after: Restart | undefined,
  key: RestartKey,
): { readonly text: string; readonly tone: Tone } {
  const next =
    after?.kind === 'counting' ? ` ${name} restarts again in ${secondsLeft(after.left)}.` : '';
  if (result.ok) {
    return { text: `Restart of ${name} accepted; its log shows it.${next}`, tone: 'good' };
  }
  const { error } = result;
  if (error.unknownOutcome) {
    const advice = next === '' ? `: check its log, then ${key}.` : `.${next}`;
    const text = `No answer to the restart of ${name}. It may have happened${advice}`;
    return { text, tone: 'bad' };
  }
  const why = error.status ?? error.sentence.replace(/\.$/, '');
  const unapplied = after?.changes === undefined ? '' : ' Changes not applied.';
  const advice = next === '' ? `${unapplied} ${key} asks again.` : next;
  return { text: `Restart of ${name} failed: ${why}.${advice}`, tone: 'bad' };
}

/** What is offered at the start, without the words around it: `1 restart of shop (2 files)`. */
export function pendingRestartText(owed: readonly PendingRestart[]): string | undefined {
  const [first, ...others] = owed;
  if (first === undefined) return undefined;
  const files = owed.reduce((sum, entry) => sum + entry.files.length, 0);
  return others.length === 0
    ? `1 restart of ${first.name} (${fileCountText(files)})`
    : `${owed.length} restarts (${fileCountText(files)})`;
}
