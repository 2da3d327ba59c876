import { countOf, objectOf, type Schema, type Schemas, textField, timestamp } from './schema.ts';

const fields: Schemas = {
  path: textField('Relative to the root of the service.'),
  size: countOf('Bytes.'),
  modifiedAt: timestamp('Of the last change.'),
};

const content: Schema = { type: 'string', description: 'As `encoding` says.' };

/** Files of a service (contract, part 2). */
export const fileSchemas: Schemas = {
  File: objectOf(fields),
  FileContent: objectOf({
    ...fields,
    content,
    encoding: {
      type: 'string',
      enum: ['utf-8', 'base64'],
      description: '`base64` for what is not UTF-8 to the last byte.',
    },
  }),
};
