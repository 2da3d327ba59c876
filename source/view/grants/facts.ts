import { nameOf } from '../../store/grants/address-book.ts';
import type { Console } from '../../store/deck/deck.ts';
import type { GrantFacts } from '../../store/grants/form-reading.ts';
import { type Grantee, knownGrantees } from '../../store/grants/grantees.ts';

/** The caller's wallet, where it can be told. */
export function callerHere({ grants }: Console): string | undefined {
  return grants.wallet();
}

/** What the form of a grant is read by, as it is now. */
export function grantFacts(console: Console): GrantFacts {
  const { rows } = console.grants.list.state.getState();
  const caller = callerHere(console);
  const names = console.addressBook.getState();
  return {
    known: knownGrantees(rows, names, caller),
    caller,
    names,
    now: console.serviceNow(),
  };
}

/** An address with the name the person gave it. */
export function granteeOf(console: Console, address: string): Grantee {
  return { address, name: nameOf(console.addressBook.getState(), address) };
}
