import { test } from 'vitest';
import { type Need, reasonNotToAsk } from './target.ts';

/** Declares the test of a quoted line of the contract. */
export function line(quote: string, needs: Need | readonly Need[], ask: () => Promise<void>): void {
  test(quote, async ({ skip }) => {
    const reason = reasonNotToAsk([needs].flat());
    if (reason !== undefined) skip(reason);
    await ask();
  });
}

/** Declares a test of hostdeck's own host where the contract is silent. */
export function own(answer: string, ask: () => Promise<void>, ...needs: readonly Need[]): void {
  line(`our host: ${answer}`, ['ours', ...needs], ask);
}
