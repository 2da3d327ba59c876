import { objectOf, type Schemas, textField, timestamp } from './schema.ts';

/** Schemas of spend grants (contract, part 2) and of the body that creates one. */
export const grantSchemas: Schemas = {
  Grant: objectOf({
    id: textField('Assigned by the service.'),
    grantor: textField('Wallet address of the creator.'),
    grantee: textField('Wallet address that may spend.'),
    limit: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Maximum total. A decimal that may have more digits than a double.',
    },
    spent: { type: 'number', minimum: 0, description: 'Amount spent so far.' },
    expires_at: timestamp('Time after which nothing can be spent.'),
    created_at: timestamp('Time of creation.'),
    'revoked_at?': timestamp('Time of revocation; revoked grants stay in the list.'),
  }),
  GrantRequest: objectOf({
    grantee: textField("Wallet address other than the caller's."),
    limit: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Below 1e30, with at most 18 decimals.',
    },
    expires_at: timestamp('Time in the future.'),
  }),
};
