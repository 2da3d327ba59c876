import type { Grant } from '../../contract/grants.ts';
import { formatAge } from '../time/age.ts';
import { shortAddress } from './address.ts';
import type { GrantEnd } from './runway.ts';

/**
 * Returns the clause about a grant that ends soon: `The grant from 0x7e..17 runs out in 11h`.
 * @param name name of its grantor in the address book.
 * @param now ms since the epoch, by the clock of the service.
 */
export function endingText(
  { grantor }: Grant,
  { by, at }: GrantEnd,
  name: string | undefined,
  now: number,
): string {
  const left = formatAge(Math.max(0, (at ?? now) - now));
  const verb = by === 'limit' ? 'runs out' : 'ends';
  return `The grant from ${name ?? shortAddress(grantor)} ${verb} in ${left}`;
}
