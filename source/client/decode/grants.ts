/** Decodes grant records and the lists of given and received grants. */
import { amountDigits, plainDecimal } from '../../contract/amount.ts';
import type { Grant } from '../../contract/grants.ts';
import type { Read } from '../client.ts';
import { decodeLongItems, type EnvelopeValue, findList, noList } from './envelope.ts';
import {
  amount,
  below,
  type Decoded,
  decoded,
  fieldsOf,
  filled,
  isRecord,
  type Kind,
  misread,
  text,
} from './fields.ts';
import { exactAmounts } from './exact-amounts.ts';

/** Amounts are numbers in the contract; services that avoid floats send decimals as strings. */
const decimal: Kind<number> = {
  expected: 'an amount',
  read: (value) =>
    typeof value === 'string' && /^-?\d{1,30}(\.\d{1,30})?$/.test(value)
      ? Number(value)
      : amount.read(value),
};

/** The digits of an amount that a double cannot represent. */
const digits: Kind<string> = {
  expected: 'an amount',
  read(value) {
    const plain = typeof value === 'string' ? plainDecimal(value) : undefined;
    return plain === undefined || plain === amountDigits(Number(plain)) ? undefined : plain;
  },
};

const required = {
  id: filled,
  grantor: filled,
  grantee: filled,
  limit: decimal,
  spent: decimal,
  expires_at: filled,
  created_at: filled,
};

/** Decodes a grant record. Every field of the contract (part 2) is required. */
export function decodeGrant(value: unknown, at: string): Decoded<Read<Grant>> {
  if (!isRecord(value)) return misread(at, value, 'an object');
  const fields = fieldsOf(value, at);
  const base = fields.needAll(required);
  if (!base.ok) return base;
  const grant: Grant = {
    ...base.value,
    limit_digits: fields.take(digits, 'limit'),
    spent_digits: fields.take(digits, 'spent'),
    revoked_at: fields.take(filled, 'revoked_at'),
    status: fields.take(text, 'status', 'state'),
  };
  return decoded({ value: grant, unknown: fields.unknown() });
}

/**
 * Decodes the grants in an answer: one flat list, or two lists for given and received grants. A grant
 * in both lists is returned once.
 * @param text source text of `json`, for the digits that parsing rounded.
 */
export async function decodeGrants(
  json: unknown,
  text = '',
): Promise<Decoded<readonly Read<Grant>[]>> {
  const lists = findGrantLists(exactAmounts(json, text), '', 0);
  if (lists === undefined) return noList(json, 'grants');
  const grants = new Map<string, Read<Grant>>();
  for (const list of lists) {
    const decodedList = await decodeLongItems(list, decodeGrant);
    if (!decodedList.ok) return decodedList;
    for (const grant of decodedList.value) grants.set(grant.value.id, grant);
  }
  return decoded([...grants.values()]);
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
    const list = isSide ? findList(value ?? [], 'grants', below(at, key)) : undefined;
    return list === undefined ? [] : [list];
  });
  if (sides.length > 0) return sides;
  for (const key of ['grants', 'data', 'result', 'items']) {
    const lists = Object.hasOwn(json, key)
      ? findGrantLists(json[key], below(at, key), depth + 1)
      : undefined;
    if (lists !== undefined) return lists;
  }
  return findOneList(json, at);
}

function findOneList(json: unknown, at: string) {
  const list = findList(json, 'grants', at);
  return list === undefined ? undefined : [list];
}
