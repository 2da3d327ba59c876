import { objectSchema, type Schemas, textSchema, timestampSchema } from './schema.ts';

/** Schemas of spend grants (contract, part 2) and of the body that creates one. */
export const grantSchemas: Schemas = {
  Grant: objectSchema({
    id: textSchema('Assigned by the service.'),
    grantor: textSchema('Wallet address of the creator.'),
    grantee: textSchema('Wallet address that may spend.'),
    limit: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Maximum total. A decimal that may have more digits than a double.',
    },
    spent: { type: 'number', minimum: 0, description: 'Amount spent so far.' },
    expires_at: timestampSchema('Time after which nothing can be spent.'),
    created_at: timestampSchema('Time of creation.'),
    'revoked_at?': timestampSchema('Time of revocation; revoked grants stay in the list.'),
  }),
  GrantRequest: objectSchema({
    grantee: textSchema("Wallet address other than the caller's."),
    limit: {
      type: 'number',
      exclusiveMinimum: 0,
      description: 'Below 1e30, with at most 18 decimals.',
    },
    expires_at: timestampSchema('Time in the future.'),
  }),
};
