import { addressName } from '../../store/grants/address-book.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { GrantFormContext } from '../../store/grants/form-reading.ts';
import { type Grantee, knownGrantees } from '../../store/grants/grantees.ts';

/** Returns the caller's wallet; undefined where it is unknown. */
export function walletOfCaller({ grants }: Pick<Deck, 'grants'>): string | undefined {
  return grants.wallet();
}

/** Returns the current wallets, names and time that the grant form is parsed with. */
export function grantFormContext(deck: Pick<Deck, 'clock' | 'grants'>): GrantFormContext {
  const { rows } = deck.grants.list.state.getState();
  const caller = walletOfCaller(deck);
  const names = deck.grants.addressBook.getState();
  return {
    known: knownGrantees(rows, names, caller),
    caller,
    names,
    now: deck.clock.serviceNow(),
  };
}

/** Returns an address with its name in the address book. */
export function granteeOf(deck: Pick<Deck, 'grants'>, address: string): Grantee {
  return { address, name: addressName(deck.grants.addressBook.getState(), address) };
}
