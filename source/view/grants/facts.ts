import { addressName } from '../../store/grants/address-book.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { GrantFormContext } from '../../store/grants/form-reading.ts';
import { type Grantee, knownGrantees } from '../../store/grants/grantees.ts';

/** The caller's wallet, where it can be told. */
export function callerHere({ grants }: Pick<Deck, 'grants'>): string | undefined {
  return grants.wallet();
}

/** What the form of a grant is read by, as it is now. */
export function grantFacts(deck: Pick<Deck, 'clock' | 'grants'>): GrantFormContext {
  const { rows } = deck.grants.list.state.getState();
  const caller = callerHere(deck);
  const names = deck.grants.addressBook.getState();
  return {
    known: knownGrantees(rows, names, caller),
    caller,
    names,
    now: deck.clock.serviceNow(),
  };
}

/** An address with the name the person gave it. */
export function granteeOf(deck: Pick<Deck, 'grants'>, address: string): Grantee {
  return { address, name: addressName(deck.grants.addressBook.getState(), address) };
}
