/** Requests the grants of a command, with the facts that they are read by. */
import path from 'node:path';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Result } from '../../client/http/errors.ts';
import type { Grant } from '../../contract/grants.ts';
import { readAddressBook } from '../../disk/address-book.ts';
import { callerWallet } from '../../store/grants/grants.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { GrantFacts } from './grant-view.ts';

/** The answer to a list of grants, and the facts that are known with it. */
export interface ReadGrants {
  readonly listed: Result<readonly DecodedRecord<Grant>[]>;
  readonly facts: GrantFacts;
}

/** Lists the grants of the caller. Without an answer the clock is that of this machine. */
export async function readGrants(context: ServiceCommandContext): Promise<ReadGrants> {
  const { client, clock, folders, output, service, signal } = context;
  const { book, problem } = await readAddressBook(path.join(folders.config, 'addresses.json'));
  if (problem !== undefined) output.note(`The address book ${problem}.`);
  const listed = await client.grants.list(signal);
  const caller = callerWallet(listed.ok ? listed.value : [], service.profile.wallet);
  return { listed, facts: { caller, book, now: clock.now() + client.clockOffset() } };
}
