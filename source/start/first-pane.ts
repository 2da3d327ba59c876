import type { Deck } from '../store/deck/deck.ts';
import { firstAnswer } from './first-answer.ts';

/**
 * Shows the list of deployments in place of the log when the first answer has one with an alert. A person
 * who has pressed a key by then stays where they are.
 */
export async function showFailing(
  deck: Pick<Deck, 'attention' | 'deployments' | 'keyPause' | 'screen'>,
): Promise<void> {
  await firstAnswer(deck);
  const { focus, main, overlay } = deck.screen.getState();
  const isUntouched = focus === 'main' && main.kind === 'logs' && !deck.keyPause.hasKeys();
  if (!isUntouched || overlay !== undefined) return;
  if (deck.attention.state.getState().alerting.length > 0) deck.screen.focus.to('deployments');
}
