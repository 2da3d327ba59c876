import type { GrantsClient } from '../../client/grants.ts';
import { describeWrite, type RecordWrite } from '../history/record-writes.ts';

/** Returns a client that records each write; `granteeOf` returns undefined for unlisted grants. */
export function recordGrantWrites(
  grants: GrantsClient,
  record: RecordWrite,
  granteeOf: (id: string) => string | undefined,
): GrantsClient {
  return {
    ...grants,
    create: (request) =>
      record(
        describeWrite(
          'createGrant',
          `${request.grantee}, limit ${request.limit}, until ${request.expires_at}`,
        ),
        () => grants.create(request),
      ),
    revoke: (id) =>
      record(describeWrite('revokeGrant', grantText(id, granteeOf(id)), { id }), () =>
        grants.revoke(id),
      ),
  };
}

function grantText(id: string, grantee: string | undefined): string {
  return grantee === undefined ? id : `${id} to ${grantee}`;
}
