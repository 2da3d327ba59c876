import type { Grant, GrantRequest } from '../contract/grants.ts';
import { request, type DecodedAnswer, requestIfChanged, requestDone } from './http/request.ts';
import { DecodedItems } from './decode/decoded-items.ts';
import type { DecodedRecord } from './decode/fields.ts';
import { decodeResource } from './decode/envelope.ts';
import { decodeGrant, decodeGrants, restoreExactAmounts } from './decode/grants.ts';
import { createLocalError, type Result } from './http/errors.ts';
import type { Http } from './http/http.ts';

export interface GrantsClient {
  list(signal?: AbortSignal): Promise<Result<readonly DecodedRecord<Grant>[]>>;
  create(request: GrantRequest): Promise<Result<DecodedRecord<Grant>>>;
  revoke(id: string): Promise<Result<void>>;
}

/** Creates the grant operations: list, create and revoke. */
export function createGrantsClient(http: Http): GrantsClient {
  /** The last list answer: an unchanged one is not decoded again. */
  let last: DecodedAnswer<readonly DecodedRecord<Grant>[]> | undefined;
  const items = new DecodedItems<DecodedRecord<Grant>>();

  return {
    async list(signal) {
      const result = await requestIfChanged(
        http,
        { operation: 'listGrants', signal },
        last,
        (json, text) => decodeGrants(json, text, items, http.workTurn),
      );
      if (!result.ok) return result;
      last = result.value;
      return { ok: true, value: last.value };
    },
    create: async (grant) => {
      if (!isDecimalLiteral(grant.limit)) {
        return http.fail(
          createLocalError(
            http.targetOf('createGrant'),
            "Can't create grant: the limit is not a decimal number.",
            'Nothing was sent. Write the limit in digits with a decimal point.',
          ),
        );
      }
      const json = { ...grant, limit: exactNumber(grant.limit) };
      return request(http, { operation: 'createGrant', json }, (answer, text) =>
        decodeResource(restoreExactAmounts(answer, text), 'grant', decodeGrant),
      );
    },
    revoke: (id) => requestDone(http, { operation: 'revokeGrant', parameters: { id } }),
  };
}

/** Matches a JSON number without an exponent: `50`, `0.000001`. */
const literal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Returns true for a text that is a JSON number without an exponent. */
export function isDecimalLiteral(text: string): boolean {
  return literal.test(text);
}

/** Returns a value that `JSON.stringify` writes with exactly these digits (`JSON.rawJSON`). */
export function exactNumber(digits: string): unknown {
  return (JSON as typeof JSON & { rawJSON(text: string): unknown }).rawJSON(digits);
}
