import {
  countSchema,
  objectSchema,
  type Schema,
  type Schemas,
  textSchema,
  timestampSchema,
} from './schema.ts';

const fields: Schemas = {
  path: textSchema('Path relative to the root of the service.'),
  size: countSchema('Size in bytes.'),
  modifiedAt: timestampSchema('Time of the last change.'),
};

const content: Schema = { type: 'string', description: 'Content in `encoding`.' };

/** Schemas of files (contract, part 2). */
export const fileSchemas: Schemas = {
  File: objectSchema(fields),
  FileContent: objectSchema({
    ...fields,
    content,
    encoding: {
      type: 'string',
      enum: ['utf-8', 'base64'],
      description: '`base64` for content that is not valid UTF-8.',
    },
  }),
};
