import type { Deck } from '../../store/deck/deck.ts';
import { boxAnswersAfter } from '../../store/deck/screen/overlay.ts';
import { messageLife } from '../../store/deck/screen/message.ts';
import type { Terminal } from '../command/action.ts';
import { isBatchWaiting } from '../deployments/batch-commands.ts';
import { askToLeave } from '../editor/leave.ts';

/** Asks; any other key takes the question back. */
export const quitQuestion = 'q again quits.';

/**
 * `q` closes the view, full screen first; at the panes a second press quits. That one counts only
 * after the first one's answer could be read, and not long after (screens, rules 4 and 6).
 */
export function quitStep(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'restarts'>,
  terminal: Terminal,
): void {
  const { screen, clock } = deck;
  const state = screen.getState();
  if (state.fullscreen) return screen.focus.leaveFullscreen();
  if (state.focus === 'main' && state.main.kind !== 'logs') return screen.view.close();
  if (isUnderWay(deck)) return;
  const asked = state.quitAskedAt;
  const now = clock.now();
  if (asked !== undefined && now - asked >= boxAnswersAfter && now - asked < messageLife) {
    return quitNow(deck, terminal);
  }
  deck.messages.say(quitQuestion);
  if (asked === undefined || now - asked >= messageLife) screen.message.askToQuit(now);
}

/** Quits, unless something is under way; asks where restarts count. */
export function quitNow(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'restarts'>,
  terminal: Terminal,
): void {
  if (!isUnderWay(deck)) askToLeave(deck, 'quit', () => terminal.quit());
}

/** Whether a transfer or a batch holds the program: says so, with the key that ends it. */
function isUnderWay(deck: Pick<Deck, 'screen' | 'messages' | 'deployments'>): boolean {
  const { transfer } = deck.screen.getState();
  if (transfer === undefined) return isBatchWaiting(deck);
  deck.messages.say(`${transfer.verb} is under way. ^C ends it.`);
  return true;
}
