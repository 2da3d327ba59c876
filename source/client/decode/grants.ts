/** Decodes grant records and the lists of given and received grants. */
import { exceedsDouble, formatAmountDigits, normaliseDecimal } from '../../contract/amount.ts';
import type { Grant } from '../../contract/grants.ts';
import type { DecodedItems } from './decoded-items.ts';
import {
  createFieldDecoder,
  type Decoded,
  type DecodedRecord,
  decodeFailure,
  decodeSuccess,
  type FieldType,
  finiteNumber,
  isRecord,
  joinFieldPath,
  nonEmptyText,
  text,
  timestampText,
} from './fields.ts';
import type { WorkTurn } from './long-list.ts';
import { decodeLongItems, type EnvelopeValue, findList, missingListError } from './envelope.ts';

/** Amounts are numbers in the contract; services that avoid floats send decimals as strings. */
const decimal: FieldType<number> = {
  expected: 'an amount',
  decode: (value) =>
    typeof value === 'string' && /^-?\d{1,30}(\.\d{1,30})?$/.test(value)
      ? Number(value)
      : finiteNumber.decode(value),
};

/** The digits of an amount that a double cannot represent. */
const digits: FieldType<string> = {
  expected: 'an amount',
  decode(value) {
    const plain = typeof value === 'string' ? normaliseDecimal(value) : undefined;
    return plain === undefined || plain === formatAmountDigits(Number(plain)) ? undefined : plain;
  },
};

const required = {
  id: nonEmptyText,
  grantor: nonEmptyText,
  grantee: nonEmptyText,
  limit: decimal,
  spent: decimal,
  expires_at: timestampText,
  created_at: timestampText,
};

/** Decodes a grant record. Every field of the contract (part 2) is required. */
export function decodeGrant(value: unknown, at: string): Decoded<DecodedRecord<Grant>> {
  if (!isRecord(value)) return decodeFailure(at, value, 'an object');
  const fields = createFieldDecoder(value, at);
  const base = fields.requireAll(required);
  if (!base.ok) return base;
  const grant: Grant = {
    ...base.value,
    limit_digits: fields.optional(digits, 'limit'),
    spent_digits: fields.optional(digits, 'spent'),
    revoked_at: fields.optional(timestampText, 'revoked_at'),
    status: fields.optional(text, 'status', 'state'),
  };
  return decodeSuccess({ value: grant, unknown: fields.unknown() });
}

/**
 * Decodes the grants in an answer: one flat list, or two lists for given and received grants. A grant
 * in both lists is returned once.
 * @param text source text of `json`, for the digits that parsing rounded.
 * @param before items of earlier answers, which are not decoded again.
 */
export async function decodeGrants(
  json: unknown,
  text = '',
  before?: DecodedItems<DecodedRecord<Grant>>,
  turn?: WorkTurn,
): Promise<Decoded<readonly DecodedRecord<Grant>[]>> {
  const lists = findGrantLists(restoreExactAmounts(json, text), '', 0);
  if (lists === undefined) return missingListError(json, 'grants');
  const grants = new Map<string, DecodedRecord<Grant>>();
  for (const list of lists) {
    const decodedList = await decodeLongItems(list, decodeGrant, before, turn);
    if (!decodedList.ok) return decodedList;
    for (const grant of decodedList.value) grants.set(grant.value.id, grant);
  }
  return decodeSuccess([...grants.values()]);
}

/** Names of the lists of given and of received grants, in lower case and without underscores. */
const sideNames = new Set(
  [
    'granted given issued outgoing sent created grantor asgrantor',
    'received incoming held grantee asgrantee',
  ].flatMap((side) => side.split(' ')),
);

const maxDepth = 3;

function findGrantLists(
  json: unknown,
  at: string,
  depth: number,
): readonly EnvelopeValue<readonly unknown[]>[] | undefined {
  if (!isRecord(json) || depth === maxDepth) return findOneList(json, at);
  const sides = Object.entries(json).flatMap(([key, value]) => {
    const isSide = sideNames.has(key.toLowerCase().replaceAll('_', ''));
    const list = isSide ? findList(value ?? [], 'grants', joinFieldPath(at, key)) : undefined;
    return list === undefined ? [] : [list];
  });
  if (sides.length > 0) return sides;
  for (const key of ['grants', 'data', 'result', 'items']) {
    const lists = Object.hasOwn(json, key)
      ? findGrantLists(json[key], joinFieldPath(at, key), depth + 1)
      : undefined;
    if (lists !== undefined) return lists;
  }
  return findOneList(json, at);
}

function findOneList(json: unknown, at: string) {
  const list = findList(json, 'grants', at);
  return list === undefined ? undefined : [list];
}

/**
 * Matches an amount of 16 to 60 digits, which a double may round, with its field name. It matches
 * nothing inside a JSON string, where a backslash precedes the quote after the name.
 */
const longAmount = /("(?:limit|spent)"\s*:\s*)(-?(?=[\d.]{16})\d{1,30}(?:\.\d{1,30})?)(?=\s*[,}])/g;

/**
 * Returns the JSON of an answer with rounded amounts replaced by their digits as strings.
 * @param text source text of `json`.
 */
export function restoreExactAmounts(json: unknown, text: string): unknown {
  const exact = text.replaceAll(longAmount, (whole, name: string, digits: string) =>
    isIntended(digits) ? `${name}"${digits}"` : whole,
  );
  return exact === text ? json : JSON.parse(exact);
}

/**
 * Returns true when all digits are meant as money. The shortest text of a double is not: its last
 * digits are usually float noise. A service that means them appends a zero.
 */
function isIntended(digits: string): boolean {
  return exceedsDouble(digits) && String(Number(digits)) !== digits;
}
