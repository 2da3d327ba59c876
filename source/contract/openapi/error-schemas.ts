import {
  countSchema,
  listSchema,
  objectSchema,
  type Schemas,
  schemaRef,
  textSchema,
} from './schema.ts';

/** Schemas of the error envelope, the same for every error. */
export const errorSchemas: Schemas = {
  Error: objectSchema({
    success: { type: 'boolean', const: false },
    error: objectSchema({
      code: textSchema('Machine-readable code such as `not-found`.'),
      message: textSchema('Message for people.'),
      details: listSchema(schemaRef('Detail')),
    }),
  }),
  Detail: objectSchema({
    field: textSchema('Field, query parameter or path in the SDL.'),
    expected: textSchema('Expected value.'),
    'line?': countSchema('Line in the SDL, from 1.'),
    'column?': countSchema('Column in the SDL, from 1.'),
  }),
};

/** Description of each error status. */
export const errorDescriptions = {
  400: 'The request is malformed.',
  401: 'The token is missing or unknown.',
  403: 'The caller is not allowed to do this, or a page of another site sent the request.',
  404: 'Not found, or owned by another wallet.',
  405: 'The path does not support this method; `Allow` lists the supported ones.',
  408: 'The request arrived too slowly.',
  409: 'Not possible in the current state.',
  410: 'The files and logs of the closed deployment have been removed.',
  413: 'The request or the file is too large.',
  422: 'The request has invalid values; `details` lists them.',
  426: 'This endpoint needs a WebSocket.',
  429: 'Too many requests with unknown tokens, log streams, or large answers that are not read.',
  431: 'The headers of the request are too large.',
  500: 'The host failed.',
  503: 'The host is stopping, or its disk took no record of this.',
  507: 'The disk of the host is full, or has less free space than the host keeps.',
} as const;

export type ErrorStatus = keyof typeof errorDescriptions;
