import { fileCountText, secondsLeft } from '../../store/restarts/sentences.ts';
import type { Restart } from '../../store/restarts/state.ts';
import type { Token } from '../text/theme.ts';

/** Returns the state of a restart for a row: `restart in 4s, 2 files`; `short` omits the files. */
export function pendingText(restart: Restart, short: boolean): string {
  switch (restart.kind) {
    case 'counting': {
      const files = short ? '' : `, ${fileCountText(restart.changes.files.length)}`;
      // At 0, the restart waits for a file operation to end.
      return restart.left === 0
        ? `restart due${files}`
        : `restart in ${secondsLeft(restart.left)}${files}`;
    }
    case 'restarting':
      return 'restarting';
    case 'failed':
      return 'restart failed, r';
    case 'unknown':
      return 'restart unconfirmed, r';
    case 'unapplied':
      return `${restart.changes.files.length} unapplied`;
    case 'owed':
      return `${restart.changes.files.length} unapplied, r`;
  }
}

export function pendingToken(restart: Restart): Token {
  return restart.kind === 'failed' || restart.kind === 'unknown' ? 'bad' : 'busy';
}

/** Returns the state of a restart in two words, for the column of states: `restart 4s`. */
export function restartWord(restart: Restart): string {
  switch (restart.kind) {
    case 'counting':
      return restart.left === 0 ? 'restart due' : `restart ${secondsLeft(restart.left)}`;
    case 'restarting':
      return 'restarting';
    case 'failed':
      return 'restart failed';
    case 'unknown':
      return 'restart unconfirmed';
    case 'unapplied':
    case 'owed':
      return 'unapplied';
  }
}

/**
 * Returns the texts of row 1 for restarts that are counting, running or failed, the nearest first.
 * A single one goes without its name, which its row has.
 */
export function restartTexts(
  restarts: Iterable<readonly [name: string, Restart]>,
): readonly string[] {
  const shown = [...restarts].filter(([, restart]) => !isUnapplied(restart));
  return shown
    .toSorted(([, a], [, b]) => secondsUntil(a) - secondsUntil(b))
    .map(([name, restart]) => statusText(shown.length === 1 ? '' : `${name} `, restart));
}

function statusText(name: string, restart: Restart): string {
  switch (restart.kind) {
    case 'counting':
      return `restart ${name}${restart.left === 0 ? 'due' : secondsLeft(restart.left)}`;
    case 'restarting':
      return `restarting ${name}`.trimEnd();
    case 'failed':
      return `restart ${name}failed`;
    case 'unknown':
      return `restart ${name}unconfirmed`;
    case 'unapplied':
    case 'owed':
      return '';
  }
}

/** Restarts that are over or under way come after all countdowns. */
function secondsUntil(restart: Restart): number {
  return restart.kind === 'counting' ? restart.left : Number.MAX_SAFE_INTEGER;
}

/** True where nothing will happen by itself. */
function isUnapplied({ kind }: Restart): boolean {
  return kind === 'unapplied' || kind === 'owed';
}

/** Returns how many deployments have changes that no restart will apply by itself. */
export function unappliedCount(restarts: Iterable<Restart>): number {
  return [...restarts].filter(isUnapplied).length;
}
