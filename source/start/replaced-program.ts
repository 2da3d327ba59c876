import type { Deck } from '../store/deck/deck.ts';

/**
 * Returns true, and tells the person, when an error means that a file of the program is gone, as after
 * an update under a running console: files load on first use. The loaded parts keep running, and
 * drafts and pending restarts with them.
 */
export function reportReplacedProgram(error: unknown, deck: Pick<Deck, 'messages'>): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_MODULE_NOT_FOUND') return false;
  deck.messages.say('hostdeck was updated on this machine. Quit and start it again.', 'bad');
  return true;
}
