import type { StoreApi } from 'zustand';
import type { Deck } from '../../store/deck/deck.ts';
import type { ExcludedPath } from '../../store/transfers/local-files.ts';
import type { Transfer } from '../../store/deck/screen/transfer.ts';
import type { TransferProgress } from '../../store/transfers/progress.ts';

/** Runs a transfer, shows its progress, and lets Esc and `^C` cancel it. */
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

/** Returns true when no transfer runs, else reports it. One row shows one transfer at a time. */
export function mayTransfer(deck: Pick<Deck, 'screen' | 'messages'>): boolean {
  const { transfer } = deck.screen.getState();
  if (transfer !== undefined) deck.messages.say(`${transfer.verb} is running. ^C stops it.`);
  return transfer === undefined;
}

/** Returns a sentence with the reason of the first excluded path; empty when there is none. */
export function whyLeftOut(excluded: readonly ExcludedPath[]): string {
  const [first] = excluded;
  return first === undefined ? '' : ` ${first.path}: ${first.reason}.`;
}
