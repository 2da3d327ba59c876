import { isDecimalLiteral } from '../contract/decimal-literal.ts';
import { ask, tell } from './ask.ts';
import type { GrantsClient } from './client.ts';
import { decodeOne } from './decode-envelope.ts';
import { decodeGrant, decodeGrants } from './decode-grants.ts';
import { localError } from './errors.ts';
import { exactAmounts } from './exact-amounts.ts';
import type { Http } from './http.ts';

export function createGrants(http: Http): GrantsClient {
  return {
    list: (signal) => ask(http, { operation: 'listGrants', signal }, decodeGrants),
    create: async (request) => {
      if (!isDecimalLiteral(request.limit)) {
        return http.fail(
          localError(
            http.asked('createGrant'),
            'Cannot create grant: its limit is no decimal.',
            'Nothing was sent; write it in digits with a point.',
          ),
        );
      }
      const json = { ...request, limit: exactNumber(request.limit) };
      return ask(http, { operation: 'createGrant', json }, (answer, text) =>
        decodeOne(exactAmounts(answer, text), 'grant', decodeGrant),
      );
    },
    revoke: (id) => tell(http, { operation: 'revokeGrant', parameters: { id } }),
  };
}

/** `JSON.stringify` writes it as these very digits (ECMAScript, JSON.rawJSON). */
function exactNumber(digits: string): unknown {
  return (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(digits);
}
