import type { Deck } from '../../store/deck/deck.ts';
import { keyName } from '../../store/prompts/key-names.ts';
import { messageLife, staysUntilEscape } from '../../store/deck/screen/message.ts';
import type { Terminal } from '../command/action.ts';
import { type Command, paneContexts, scrollContexts } from '../command/command.ts';
import { escapeTextSearch } from '../command/text-search.ts';
import { isBatchWaiting, stopBatch } from '../deployments/batch.ts';
import { askToLeave } from '../editor/leave.ts';
import { stopSeek } from '../log/navigation.ts';
import { escapeLog } from '../log/queries.ts';
import { endSelection } from '../log/range.ts';
import { isRetryUseful } from './footer-reach.ts';

/** Returns the message after the first `q`; any other key withdraws it. */
export function quitPrompt(): string {
  return `${keyName('app.quit', 'q')} again quits.`;
}

/**
 * Milliseconds between the two presses that quit: less is one press that the keyboard or a slow link
 * doubled. A quick double press of a person takes longer.
 */
export const quitRepeatAfter = 100;

/**
 * Handles `q`: leaves full screen, then the view; at the panes a second press quits while its message
 * is shown.
 */
function quitStep(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'restarts'>,
  terminal: Terminal,
): void {
  const { screen, clock } = deck;
  const state = screen.getState();
  if (state.fullscreen) return screen.focus.leaveFullscreen();
  if (state.focus === 'main' && state.main.kind !== 'logs') return screen.view.close();
  if (isBusy(deck)) return;
  const askedAt = state.quitAskedAt;
  const now = clock.now();
  if (askedAt !== undefined && now - askedAt >= quitRepeatAfter && now - askedAt < messageLife) {
    return quitNow(deck, terminal);
  }
  deck.messages.say(quitPrompt());
  if (askedAt === undefined || now - askedAt >= messageLife) screen.message.askToQuit(now);
}

/** Quits unless a transfer or batch runs; asks for confirmation when restarts are pending. */
function quitNow(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'restarts'>,
  terminal: Terminal,
): void {
  if (!isBusy(deck)) askToLeave(deck, 'quit', () => terminal.quit());
}

/** Returns true while a transfer or batch runs, and shows the key that stops it. */
export function isBusy(deck: Pick<Deck, 'screen' | 'messages' | 'deployments'>): boolean {
  const { transfer } = deck.screen.getState();
  if (transfer === undefined) return isBatchWaiting(deck);
  deck.messages.say(`${transfer.verb} is running. ^C stops it.`);
  return true;
}

/** Handles `Esc`: stops the innermost activity, otherwise goes back one view. */
export function stepBack(deck: Pick<Deck, 'screen' | 'messages' | 'opened' | 'textSearch'>): void {
  if (stopSeek(deck)) return;
  if (!staysUntilEscape(deck.screen.getState().message) && endSelection(deck)) return;
  if (escapeLog(deck)) return;
  if (escapeTextSearch(deck)) return;
  if (!deck.screen.escape()) deck.screen.getState().transfer?.cancel();
}

/** Handles `^C`: stops a search, transfer or batch, otherwise acts as `q`. */
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
    label: { view: 'back', details: 'back', diff: 'back', history: 'back', patterns: 'back' },
    group: 'leave',
    variant: (deck, context) =>
      !scrollContexts.includes(context) && isRetryUseful(deck) ? { label: 'quit' } : undefined,
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
    doubleOf: 'app.quit',
    run: ({ deck, terminal }) => quitNow(deck, terminal),
  },
];
