import { ask, tell } from './ask.ts';
import type { GrantsClient } from './client.ts';
import { decodeOne } from './decode-envelope.ts';
import { decodeGrant, decodeGrants } from './decode-grants.ts';
import { exactAmounts } from './exact-amounts.ts';
import type { Http } from './http.ts';

export function createGrants(http: Http): GrantsClient {
  return {
    list: (signal) => ask(http, { operation: 'listGrants', signal }, decodeGrants),
    create: (request) =>
      ask(http, { operation: 'createGrant', json: request }, (json, text) =>
        decodeOne(exactAmounts(json, text), 'grant', decodeGrant),
      ),
    revoke: (id) => tell(http, { operation: 'revokeGrant', parameters: { id } }),
  };
}
