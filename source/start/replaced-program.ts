import type { Deck } from '../store/deck/deck.ts';

/**
 * Whether an error is that a part of the program is not where it was, as after an update under a
 * console that runs for days: parts are loaded when they are first needed. The person is told then;
 * what is loaded goes on, and with it drafts and counting restarts.
 */
export function reportReplacedProgram(error: unknown, deck: Pick<Deck, 'messages'>): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'ERR_MODULE_NOT_FOUND') return false;
  deck.messages.say('hostdeck was replaced on this disk: quit and start it again.', 'bad');
  return true;
}
