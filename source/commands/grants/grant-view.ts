/** The printed form of spend grants. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import { exactNumber } from '../../client/grants.ts';
import { deriveGrantState, formatGrantAmounts, type Grant } from '../../contract/grants.ts';
import { type AddressBook, addressName } from '../../store/grants/address-book.ts';
import { roundedAmounts } from '../../store/grants/amounts.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { ageSince, formatAge } from '../../store/time/age.ts';
import { recordJson, type RecordView } from '../output/record-view.ts';

type Read = DecodedRecord<Grant>;

/** Facts outside a grant that its printed form depends on. */
export interface GrantFacts {
  /** Wallet of the caller; undefined where it is unknown. */
  readonly caller: string | undefined;
  readonly book: AddressBook;
  /** Current time by the clock of the service, ms since the epoch. */
  readonly now: number;
}

/** Returns the grants as `grants list` and `grants create` print them. */
export function grantView({ caller, book, now }: GrantFacts): RecordView<Read> {
  const stateOf = ({ value }: Read) => deriveGrantState(value, now);
  const directionOf = ({ value }: Read) => grantDirection(value, caller);
  const partyText = (read: Read, nameOf: (address: string) => string): string => {
    const { grantor, grantee } = read.value;
    switch (directionOf(read)) {
      case 'given':
        return nameOf(grantee);
      case 'received':
        return nameOf(grantor);
      case 'unknown':
        return `${nameOf(grantor)}>${nameOf(grantee)}`;
    }
  };
  return {
    columns: [
      {
        title: 'PARTY',
        value: (read) => partyText(read, (address) => address),
        shown: (read) => partyText(read, (address) => addressName(book, address) ?? address),
        isShrinkable: true,
      },
      { title: 'DIRECTION', value: directionOf, isOptional: true },
      {
        title: 'LIMIT',
        value: ({ value }) => formatGrantAmounts(value).limit,
        shown: ({ value }) => roundedAmounts(value).limit,
        align: 'right',
      },
      {
        title: 'SPENT',
        value: ({ value }) => formatGrantAmounts(value).spent,
        shown: ({ value }) => roundedAmounts(value).spent,
        align: 'right',
      },
      { title: 'STATE', value: stateOf },
      {
        title: 'EXPIRES',
        value: ({ value }) => value.expires_at,
        shown: ({ value }) => expiryAge(value.expires_at, now),
        isOptional: true,
      },
      { title: 'ID', value: ({ value }) => value.id },
    ],
    details: (read) => {
      const { value } = read;
      const named = (address: string): string => {
        const name = addressName(book, address);
        return name === undefined ? address : `${address} (${name})`;
      };
      const { limit, spent } = formatGrantAmounts(value);
      return [
        { title: 'ID', value: value.id },
        { title: 'GRANTOR', value: value.grantor, shown: named(value.grantor) },
        { title: 'GRANTEE', value: value.grantee, shown: named(value.grantee) },
        { title: 'DIRECTION', value: directionOf(read) },
        { title: 'LIMIT', value: limit },
        { title: 'SPENT', value: spent },
        { title: 'STATE', value: stateOf(read) },
        {
          title: 'EXPIRES',
          value: value.expires_at,
          shown: `${value.expires_at} (${expiryAge(value.expires_at, now)})`,
        },
        { title: 'CREATED', value: value.created_at },
      ];
    },
    fields: [
      'id',
      'grantor',
      'grantee',
      'limit',
      'spent',
      'expires_at',
      'created_at',
      'revoked_at',
      'status',
      'direction',
      'state',
    ],
    json: (read) => ({ ...exactJson(read), direction: directionOf(read), state: stateOf(read) }),
    id: ({ value }) => value.id,
  };
}

/** Returns the time to an expiry, such as `in 12d` or `3d ago`; the text itself without a time. */
function expiryAge(expiresAt: string, now: number): string {
  const left = Date.parse(expiresAt) - now;
  if (Number.isNaN(left)) return expiresAt;
  return left >= 0 ? `in ${formatAge(left)}` : `${ageSince(expiresAt, now)} ago`;
}

/** Returns a grant as JSON, its amounts with every digit that the service sent. */
function exactJson(read: Read): Readonly<Record<string, unknown>> {
  const { limit_digits: limit, spent_digits: spent, ...rest } = recordJson(read);
  return {
    ...rest,
    ...(typeof limit === 'string' && { limit: exactNumber(limit) }),
    ...(typeof spent === 'string' && { spent: exactNumber(spent) }),
  };
}
