/** The command that folds runs of lines with one pattern, and the opening of a run. */
import type { Deck } from '../../../store/deck/deck.ts';
import type { Command } from '../../command/command.ts';
import { logCursor } from '../place.ts';

/** Shows the lines of the folded run under the cursor. Returns false without one. */
export function openFoldedRun({ opened }: Pick<Deck, 'opened'>): boolean {
  const { tail } = opened.getState();
  const cursor = tail === undefined ? undefined : logCursor(tail);
  return tail !== undefined && cursor !== undefined && tail.folds.open(cursor);
}

function toggleFolds(deck: Pick<Deck, 'messages' | 'opened'>): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return deck.messages.say('Open a deployment first.');
  tail.folds.toggle();
  const { isOn } = tail.folds.state.getState();
  deck.messages.say(isOn ? 'Lines of one pattern are folded. Enter unfolds a row.' : 'Unfolded.');
}

export const foldCommand: Command = {
  id: 'log.fold',
  keys: ['Z'],
  contexts: ['logs'],
  group: 'pane',
  topic: 'view',
  help: 'fold patterns',
  title: 'fold patterns',
  synonyms: ['collapse', 'repeat', 'unfold', 'group'],
  run: ({ deck }) => toggleFolds(deck),
};
