import type { Deck } from '../../store/deck/deck.ts';
import { fileCountText, secondsLeft } from '../../store/restarts/sentences.ts';
import type { Restart } from '../../store/restarts/state.ts';
import type { Token } from '../text/theme.ts';

/** What waits for a deployment, for its row: `restart in 4s, 2 files`; `short` without the files. */
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
      return 'restart unknown, r';
    case 'not applied':
      return `${restart.changes.files.length} not applied`;
    case 'owed':
      return `${restart.changes.files.length} not applied, r`;
  }
}

export function pendingToken(restart: Restart): Token {
  return restart.kind === 'failed' || restart.kind === 'unknown' ? 'bad' : 'busy';
}

/** The same for row 1; undefined for what nobody has to watch. */
export function statusText(name: string, restart: Restart): string | undefined {
  switch (restart.kind) {
    case 'counting':
      // It waits for a file operation to end.
      return `restart ${name} ${restart.left === 0 ? 'waits' : secondsLeft(restart.left)}`;
    case 'restarting':
      return `restarting ${name}`;
    case 'failed':
    case 'unknown':
      return `restart ${name} ${restart.kind}`;
    case 'not applied':
    case 'owed':
      return undefined;
  }
}

/**
 * The restarts that count, are under way or failed, for row 1. The editor is where `r` types: there
 * the key that opens the box stands with them.
 */
export function restartTexts(
  deck: Pick<Deck, 'screen' | 'deployments' | 'restarts'>,
): readonly string[] {
  const texts = [...deck.restarts.state.getState()]
    .map(([id, restart]) => statusText(deck.deployments.label(id), restart))
    .filter((text) => text !== undefined);
  const last = texts.at(-1);
  const edits = deck.screen.getState().main.kind === 'editor';
  return edits && last !== undefined ? [...texts.slice(0, -1), `${last}, ^R`] : texts;
}
