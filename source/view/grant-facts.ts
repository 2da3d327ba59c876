import type { Console } from '../store/console.ts';
import type { GrantFacts } from '../store/grant-form.ts';
import { type Grantee, knownGrantees } from '../store/grantees.ts';
import { callerWallet, sameAddress } from '../store/grants.ts';

/** Names that the person gave to addresses. */
function namesHere(_console: Console): readonly Grantee[] {
  return [];
}

/** The caller's wallet, where it can be told. */
export function callerHere({ grants, profile }: Console): string | undefined {
  return callerWallet(grants.list.state.getState().rows, profile.wallet);
}

/** What the form of a grant is read by, as it is now. */
export function grantFacts(console: Console): GrantFacts {
  const { rows } = console.grants.list.state.getState();
  const caller = callerHere(console);
  return {
    known: knownGrantees(rows, namesHere(console), caller),
    caller,
    now: console.serviceNow(),
  };
}

/** An address with the name the person gave it. */
export function granteeOf(console: Console, address: string): Grantee {
  const known = namesHere(console).find((one) => sameAddress(one.address, address));
  return { address, name: known?.name };
}
