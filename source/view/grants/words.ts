import type { Deck } from '../../store/deck/deck.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import { deriveGrantState } from '../../contract/grants.ts';
import { formatRate } from '../text/amount.ts';
import { joinWords, type RowWords } from '../text/row-words.ts';
import { compactAmounts } from '../../store/grants/amounts.ts';
import { partyText, timeLeft } from './rows.ts';

/** Cells for the amounts of a grant, which words have room for. */
const amountCells = 30;

/** Returns the row of a grant in words; undefined for one that is not listed. */
export function grantRowWords(
  deck: Pick<Deck, 'clock' | 'grants'>,
  id: string,
): RowWords | undefined {
  const { grants } = deck;
  const read = rowWithId(grants.list.state.getState().rows, id);
  if (read === undefined) return undefined;
  const { value } = read;
  const now = deck.clock.serviceNow();
  const rate = grants.rates.rateOf(value.id);
  const book = grants.addressBook.getState();
  const row = { read, cursor: false, caller: grants.wallet(), book, rate };
  const state = deriveGrantState(value, now);
  const words = [
    partyText(row, true),
    `${compactAmounts(value, amountCells).replace('/', ' of ')} used`,
    rate === undefined ? '' : `${formatRate(rate)} an hour`,
    state === 'active' ? `ends in ${timeLeft(value, now)}` : state,
  ];
  return { text: joinWords(words), state };
}
