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

/** Amounts are numbers in the contract; decimals as text are common where floats are feared. */
const decimal: Kind<number> = {
  expected: 'an amount',
  read: (value) =>
    typeof value === 'string' && /^-?\d{1,30}(\.\d{1,30})?$/.test(value)
      ? Number(value)
      : amount.read(value),
};

/** The digits of an amount that a number does not carry. */
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

/** A grant record (contract, part 2): every field that is shown there is required. */
export function decodeGrant(value: unknown, at: string): Decoded<Read<Grant>> {
  if (!isRecord(value)) return misread(at, value, 'an object');
  const fields = fieldsOf(value, at);
  const shown = fields.needAll(required);
  if (!shown.ok) return shown;
  const grant: Grant = {
    ...shown.value,
    limit_digits: fields.take(digits, 'limit'),
    spent_digits: fields.take(digits, 'spent'),
    revoked_at: fields.take(filled, 'revoked_at'),
    status: fields.take(text, 'status', 'state'),
  };
  return decoded({ value: grant, unknown: fields.unknown() });
}

/**
 * The grants in an answer: one flat list, or two that tell given from received ones by their names.
 * A grant to oneself may stand in both and is given once.
 * @param text what `json` was parsed from, for the digits that parsing rounded.
 */
export async function decodeGrants(
  json: unknown,
  text = '',
): Promise<Decoded<readonly Read<Grant>[]>> {
  const lists = grantLists(exactAmounts(json, text), '', 0);
  if (lists === undefined) return noList(json, 'grants');
  const grants = new Map<string, Read<Grant>>();
  for (const list of lists) {
    const read = await decodeLongItems(list, decodeGrant);
    if (!read.ok) return read;
    for (const grant of read.value) grants.set(grant.value.id, grant);
  }
  return decoded([...grants.values()]);
}

/** Names of the two lists, in lower case and without underscores. */
const sideNames = new Set(
  [
    'granted given issued outgoing sent created grantor asgrantor',
    'received incoming held grantee asgrantee',
  ].flatMap((side) => side.split(' ')),
);

const deepest = 3;

function grantLists(
  json: unknown,
  at: string,
  depth: number,
): readonly EnvelopeValue<readonly unknown[]>[] | undefined {
  if (!isRecord(json) || depth === deepest) return oneList(json, at);
  const sides = Object.entries(json).flatMap(([key, value]) => {
    const isSide = sideNames.has(key.toLowerCase().replaceAll('_', ''));
    const list = isSide ? findList(value ?? [], 'grants', below(at, key)) : undefined;
    return list === undefined ? [] : [list];
  });
  if (sides.length > 0) return sides;
  for (const key of ['grants', 'data', 'result', 'items']) {
    const lists = Object.hasOwn(json, key)
      ? grantLists(json[key], below(at, key), depth + 1)
      : undefined;
    if (lists !== undefined) return lists;
  }
  return oneList(json, at);
}

function oneList(json: unknown, at: string) {
  const list = findList(json, 'grants', at);
  return list === undefined ? undefined : [list];
}
