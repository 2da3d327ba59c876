import { expect } from 'vitest';
import type { Grant } from '../../source/contract/grants.ts';
import type { Answer, Caller } from './caller.ts';
import { done, grantIn, grantsIn } from './reading.ts';
import type { ServiceUnderTest } from './service.ts';

export interface Terms {
  readonly to: string;
  readonly limit?: number;
  /** Seconds from now; an hour by default. */
  readonly seconds?: number;
}

/** Returns the time this many seconds from now, ISO 8601 UTC. */
export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** Requests a grant and returns the answer. The grant is revoked after the file's last test. */
export async function ask(
  service: ServiceUnderTest,
  grantor: Caller,
  { to, limit = 10, seconds = 3600 }: Terms,
): Promise<Answer> {
  const json = { grantee: to, limit, expires_at: inSeconds(seconds) };
  const answer = done(await grantor.call('createGrant', { json }));
  const { id } = grantIn(answer);
  service.atEnd(() => grantor.call('revokeGrant', { id }));
  return answer;
}

/** Creates a grant. */
export async function give(
  service: ServiceUnderTest,
  grantor: Caller,
  terms: Terms,
): Promise<Grant> {
  return grantIn(await ask(service, grantor, terms));
}

/** Returns the grant from the caller's list; undefined if it is not listed. */
export async function listed(caller: Caller, id: string): Promise<Grant | undefined> {
  const grants = await grantsIn(await caller.call('listGrants'));
  return grants.find((grant) => grant.id === id);
}

/** Returns the address of a caller, from a grant that it creates. */
export async function addressOf(service: ServiceUnderTest, caller: Caller): Promise<string> {
  const { grantor } = await give(service, caller, { to: service.grantee, limit: 1 });
  expect(grantor).not.toBe('');
  return grantor;
}
