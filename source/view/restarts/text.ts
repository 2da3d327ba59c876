import type { Deck } from '../../store/deck/deck.ts';
import { fileCountText, secondsLeft } from '../../store/restarts/sentences.ts';
import type { Restart } from '../../store/restarts/state.ts';
import type { Token } from '../text/theme.ts';

/** Returns the state of a restart for a row: `restart in 4s, 2 files`; `short` omits the files. */
export function pendingText(restart: Restart, short: boolean): string {
  switch (restart.kind) {
    case 'counting': {
      const files = short ? '' : `, ${fileCountText(restart.changes.files.length)}`;
      return restart.left === 0
        ? `restart waits${files}`
        : `restart in ${secondsLeft(restart.left)}${files}`;
    }
    case 'restarting':
      return 'restarting';
    case 'failed':
      return 'restart failed, r';
    case 'unknown':
      return 'restart unconfirmed, r';
    case 'not applied':
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
      // At 0, the restart waits for a file operation to end.
      return restart.left === 0 ? 'restart waits' : `restart ${secondsLeft(restart.left)}`;
    case 'restarting':
      return 'restarting';
    case 'failed':
      return 'restart failed';
    case 'unknown':
      return 'restart unconfirmed';
    case 'not applied':
    case 'owed':
      return 'unapplied';
  }
}

/** Returns the state of a restart for row 1; undefined where nothing will happen by itself. */
export function statusText(name: string, restart: Restart): string | undefined {
  switch (restart.kind) {
    case 'counting':
      // At 0, the restart waits for a file operation to end.
      return `restart ${name} ${restart.left === 0 ? 'waits' : secondsLeft(restart.left)}`;
    case 'restarting':
      return `restarting ${name}`;
    case 'failed':
      return `restart ${name} failed`;
    case 'unknown':
      return `restart ${name} unconfirmed`;
    case 'not applied':
    case 'owed':
      return undefined;
  }
}

/**
 * Returns the texts of row 1 for restarts that are counting, running or failed. In the editor, where
 * `r` types, the last one names the key that opens the box.
 */
export function restartTexts(
  deck: Pick<Deck, 'screen' | 'deployments' | 'restarts'>,
): readonly string[] {
  const texts = [...deck.restarts.state.getState()]
    .map(([id, restart]) => statusText(deck.deployments.label(id), restart))
    .filter((text) => text !== undefined);
  const last = texts.at(-1);
  const isEditing = deck.screen.getState().main.kind === 'editor';
  return isEditing && last !== undefined ? [...texts.slice(0, -1), `${last}, ^R`] : texts;
}

/** Returns how many deployments have changes that no restart will apply by itself. */
export function unappliedCount(restarts: Iterable<Restart>): number {
  return [...restarts].filter(({ kind }) => kind === 'not applied' || kind === 'owed').length;
}
