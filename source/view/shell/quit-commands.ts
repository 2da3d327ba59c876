import type { Deck } from '../../store/deck/deck.ts';
import { boxAnswersAfter } from '../../store/deck/screen/overlay.ts';
import { messageLife, staysUntilEscape } from '../../store/deck/screen/message.ts';
import type { Terminal } from '../command/action.ts';
import { type Command, paneContexts } from '../command/command.ts';
import { isBatchWaiting, stopBatch } from '../deployments/batch.ts';
import { askToLeave } from '../editor/leave.ts';
import { stopSeek } from '../log/navigation.ts';
import { escapeLog } from '../log/queries.ts';
import { endSelection } from '../log/range.ts';

/** Asks; any other key takes the question back. */
export const quitQuestion = 'q again quits.';

/**
 * `q` closes the view, full screen first; at the panes a second press quits. That one counts only
 * after the first one's answer could be read, and not long after (screens, rules 4 and 6).
 */
function quitStep(
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
function quitNow(
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

/** `Esc`: ends the innermost of what is going on, else goes one view back. */
export function stepBack(deck: Pick<Deck, 'screen' | 'messages' | 'opened'>): void {
  if (stopSeek(deck)) return;
  if (!staysUntilEscape(deck.screen.getState().message) && endSelection(deck)) return;
  if (escapeLog(deck)) return;
  if (!deck.screen.escape()) deck.screen.getState().transfer?.cancel();
}

/** `^C`: stops what is running, else does what `q` does. */
function interrupt(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'opened' | 'restarts'>,
  terminal: Terminal,
): void {
  const { transfer } = deck.screen.getState();
  if (stopSeek(deck)) return;
  if (transfer !== undefined) transfer.cancel();
  else if (!stopBatch(deck)) quitStep(deck, terminal);
}

const contexts = paneContexts;

/** Commands that step back, stop, or leave. */
export const quitCommands: readonly Command[] = [
  {
    id: 'app.suspend',
    keys: ['ctrl+z'],
    contexts,
    group: 'leave',
    help: 'suspend',
    title: 'suspend',
    synonyms: ['shell', 'background'],
    run: ({ deck, terminal }) => askToLeave(deck, 'suspend', () => terminal.suspend()),
  },
  {
    id: 'app.escape',
    keys: ['escape'],
    contexts,
    group: 'leave',
    help: 'one step back',
    run: ({ deck }) => stepBack(deck),
  },
  {
    id: 'app.quit',
    keys: ['q'],
    contexts,
    group: 'leave',
    help: 'back; twice: quit',
    isConfirmedByRepeat: true,
    run: ({ deck, terminal }) => quitStep(deck, terminal),
  },
  {
    id: 'app.interrupt',
    keys: ['ctrl+c'],
    contexts,
    group: 'leave',
    help: 'stop, or quit',
    isConfirmedByRepeat: true,
    run: ({ deck, terminal }) => interrupt(deck, terminal),
  },
  {
    id: 'app.quit-now',
    keys: [],
    contexts,
    group: 'name',
    help: 'end hostdeck',
    title: 'quit',
    synonyms: ['exit', 'close', 'bye'],
    paletteKey: 'q q',
    run: ({ deck, terminal }) => quitNow(deck, terminal),
  },
];
