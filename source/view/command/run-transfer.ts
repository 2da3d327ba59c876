import type { StoreApi } from 'zustand';
import type { Deck } from '../../store/deck/deck.ts';
import type { ExcludedPath } from '../../store/transfers/local-files.ts';
import type { Transfer } from '../../store/deck/screen/transfer.ts';
import type { TransferProgress } from '../../store/transfers/progress.ts';

/** Shows how far a transfer is for as long as it runs, and lets Esc and `^C` end it. */
export async function runTransfer<T>(
  { screen }: Pick<Deck, 'screen'>,
  verb: Transfer['verb'],
  transfers: {
    readonly state: StoreApi<{ readonly progress: TransferProgress } | undefined>;
    cancel(): void;
  },
  run: () => Promise<T>,
): Promise<T> {
  const show = (running: { readonly progress: TransferProgress } | undefined) => {
    if (running === undefined) return;
    const { progress } = running;
    screen.transfer.show({ verb, progress, cancel: () => transfers.cancel() });
  };
  const stop = transfers.state.subscribe(show);
  screen.message.clear();
  try {
    return await run();
  } finally {
    stop();
    screen.transfer.end();
  }
}

/** Whether nothing is under way; says so otherwise. One at a time: one row tells of it. */
export function mayTransfer(deck: Pick<Deck, 'screen' | 'messages'>): boolean {
  const { transfer } = deck.screen.getState();
  if (transfer !== undefined) deck.messages.say(`${transfer.verb} is under way. ^C ends it.`);
  return transfer === undefined;
}

/** Why the first of what was left out was: a sentence, or nothing. */
export function whyLeftOut(leftOut: readonly ExcludedPath[]): string {
  const [first] = leftOut;
  return first === undefined ? '' : ` ${first.path}: ${first.reason}.`;
}
