import { expect } from 'vitest';
import type { Grant } from '../../source/contract/grants.ts';
import type { Answer, Caller } from './caller.ts';
import { done, grantIn, grantsIn } from './reading.ts';
import type { ServiceUnderTest } from './service.ts';

export interface Terms {
  readonly to: string;
  readonly limit?: number;
  /** Seconds from now; an hour when nothing is said. */
  readonly seconds?: number;
}

/** ISO 8601 UTC, this many seconds from now. */
export const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

/** Makes a grant and gives the answer. It is revoked after the file's last test. */
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

/** Makes a grant. */
export async function give(
  service: ServiceUnderTest,
  grantor: Caller,
  terms: Terms,
): Promise<Grant> {
  return grantIn(await ask(service, grantor, terms));
}

/** The grant as the caller's list has it; undefined where it has it no more. */
export async function listed(caller: Caller, id: string): Promise<Grant | undefined> {
  const grants = await grantsIn(await caller.call('listGrants'));
  return grants.find((grant) => grant.id === id);
}

/** The address of a caller, which the grants it makes carry. */
export async function addressOf(service: ServiceUnderTest, caller: Caller): Promise<string> {
  const { grantor } = await give(service, caller, { to: service.grantee, limit: 1 });
  expect(grantor).not.toBe('');
  return grantor;
}
