import { isDecimalLiteral } from '../contract/decimal-literal.ts';
import type { Grant } from '../contract/grants.ts';
import { request, type RequestResult, askAgain, requestDone } from './http/request.ts';
import type { GrantsClient, Read } from './client.ts';
import { decodeOne } from './decode/envelope.ts';
import { decodeGrant, decodeGrants } from './decode/grants.ts';
import { localError } from './http/errors.ts';
import { exactAmounts } from './decode/exact-amounts.ts';
import type { Http } from './http/http.ts';

export function createGrantsClient(http: Http): GrantsClient {
  /** The last list: most are the same again, and are not read then. */
  let last: RequestResult<readonly Read<Grant>[]> | undefined;

  return {
    async list(signal) {
      const asked = await askAgain(http, { operation: 'listGrants', signal }, last, decodeGrants);
      if (!asked.ok) return asked;
      last = asked.value;
      return { ok: true, value: last.value };
    },
    create: async (grant) => {
      if (!isDecimalLiteral(grant.limit)) {
        return http.fail(
          localError(
            http.asked('createGrant'),
            'Cannot create grant: its limit is no decimal.',
            'Nothing was sent; write it in digits with a point.',
          ),
        );
      }
      const json = { ...grant, limit: exactNumber(grant.limit) };
      return request(http, { operation: 'createGrant', json }, (answer, text) =>
        decodeOne(exactAmounts(answer, text), 'grant', decodeGrant),
      );
    },
    revoke: (id) => requestDone(http, { operation: 'revokeGrant', parameters: { id } }),
  };
}

/** `JSON.stringify` writes it as these very digits (ECMAScript, JSON.rawJSON). */
function exactNumber(digits: string): unknown {
  return (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(digits);
}
