import { ask, tell } from './ask.ts';
import type { GrantsClient } from './client.ts';
import { decodeOne } from './decode-envelope.ts';
import { decodeGrant, decodeGrants } from './decode-grants.ts';
import type { Http } from './http.ts';

export function createGrants(http: Http): GrantsClient {
  return {
    list: (signal) => ask(http, { operation: 'listGrants', signal }, decodeGrants),
    create: (request) =>
      ask(http, { operation: 'createGrant', json: request }, (json) =>
        decodeOne(json, 'grant', decodeGrant),
      ),
    revoke: (id) => tell(http, { operation: 'revokeGrant', parameters: { id } }),
  };
}
