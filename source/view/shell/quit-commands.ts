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

/** Keys that quit when they are pressed twice. */
type QuitCommand = 'app.quit' | 'app.interrupt';

const quitKeys: Readonly<Record<QuitCommand, string>> = { 'app.quit': 'q', 'app.interrupt': '^C' };

/** Returns the message after the first press; any other key withdraws it. */
export function quitPrompt(command: QuitCommand): string {
  return `${keyName(command, quitKeys[command])} again quits.`;
}

/**
 * Milliseconds between the two presses that quit: less is one press that the keyboard or a slow link
 * doubled. A quick double press of a person takes longer.
 */
export const quitRepeatAfter = 100;

type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'restarts' | 'drafts'>;

/** Handles `q`: goes back one place; where there is no way back, asks for a second press, which quits. */
function quitStep(deck: Handles, terminal: Terminal): void {
  if (!deck.screen.goBack()) askToQuit(deck, terminal, 'app.quit');
}

/** Quits on the second press of a key while the message of the first one is shown. */
function askToQuit(deck: Handles, terminal: Terminal, command: QuitCommand): void {
  if (isBusy(deck)) return;
  const { screen, clock } = deck;
  const { leaveAsked } = screen.getState();
  const now = clock.now();
  const text = quitPrompt(command);
  const isAsked = leaveAsked?.text === text && now - leaveAsked.at < messageLife;
  if (isAsked && now - leaveAsked.at >= quitRepeatAfter) return quitNow(deck, terminal);
  deck.messages.say(text);
  if (!isAsked) screen.message.askToLeave(text, now);
}

/** Quits unless a transfer or batch runs; asks for confirmation when restarts are pending. */
function quitNow(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'restarts' | 'drafts'>,
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

/** Handles `Esc`: stops the innermost activity, clears a filter, or goes back one place. */
export function stepBack(deck: Pick<Deck, 'screen' | 'messages' | 'opened' | 'textSearch'>): void {
  if (stopSeek(deck)) return;
  if (!staysUntilEscape(deck.screen.getState().message) && endSelection(deck)) return;
  if (escapeLog(deck)) return;
  if (escapeTextSearch(deck)) return;
  if (!deck.screen.escape()) deck.screen.getState().transfer?.cancel();
}

/** Handles `^C`: stops a search, transfer or batch; else a second press quits. */
function interrupt(deck: Handles & Pick<Deck, 'opened'>, terminal: Terminal): void {
  const { transfer } = deck.screen.getState();
  if (stopSeek(deck)) return;
  if (transfer !== undefined) transfer.cancel();
  else if (!stopBatch(deck)) askToQuit(deck, terminal, 'app.interrupt');
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
    variant(deck, context) {
      if (context === 'logs' && deck.screen.getState().wayBack.length > 0) return { label: 'back' };
      return !scrollContexts.includes(context) && isRetryUseful(deck)
        ? { label: 'quit' }
        : undefined;
    },
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
    doubleOf: 'app.interrupt',
    run: ({ deck, terminal }) => quitNow(deck, terminal),
  },
];
