import { countOf, objectOf, type Schema, type Schemas, textField, timestamp } from './schema.ts';

const fields: Schemas = {
  path: textField('Path relative to the root of the service.'),
  size: countOf('Size in bytes.'),
  modifiedAt: timestamp('Time of the last change.'),
};

const content: Schema = { type: 'string', description: 'Content in `encoding`.' };

/** Schemas of files (contract, part 2). */
export const fileSchemas: Schemas = {
  File: objectOf(fields),
  FileContent: objectOf({
    ...fields,
    content,
    encoding: {
      type: 'string',
      enum: ['utf-8', 'base64'],
      description: '`base64` for content that is not valid UTF-8.',
    },
  }),
};
