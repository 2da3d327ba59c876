import { objectOf, type Schemas, textField, timestamp } from './schema.ts';

/** Spend grants (contract, part 2), and the body that makes one. */
export const grantSchemas: Schemas = {
  Grant: objectOf({
    id: textField('Assigned by the service.'),
    grantor: textField('Wallet address of who gave it.'),
    grantee: textField('Wallet address that may spend.'),
    limit: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'All that may be spent. A decimal that may have more digits than a double.',
    },
    spent: { type: 'number', minimum: 0, description: 'What was spent of it so far.' },
    expires_at: timestamp('After it nothing can be spent.'),
    created_at: timestamp('When it was given.'),
    'revoked_at?': timestamp('When the grantor took it back; such grants stay in the list.'),
  }),
  GrantRequest: objectOf({
    grantee: textField("A wallet address, not the caller's own."),
    limit: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Below 1e30, with at most 18 decimals.',
    },
    expires_at: timestamp('In the future.'),
  }),
};
