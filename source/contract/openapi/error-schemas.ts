import { countOf, listOf, objectOf, type Schemas, schemaRef, textField } from './schema.ts';

/** The one envelope of every error. */
export const errorSchemas: Schemas = {
  Error: objectOf({
    success: { type: 'boolean', const: false },
    error: objectOf({
      code: textField('A word for programs, like `not-found`.'),
      message: textField('A sentence for people.'),
      details: listOf(schemaRef('Detail')),
    }),
  }),
  Detail: objectOf({
    field: textField('Field, query parameter or place in the SDL.'),
    expected: textField('What belongs there.'),
    'line?': countOf('In the SDL, from 1.'),
    'column?': countOf('In the SDL, from 1.'),
  }),
};

/** What each status of an error means. */
export const errorMeanings = {
  400: 'The request cannot be read.',
  401: 'No token, or one that is not known.',
  403: 'Not allowed to this caller, or caused by a page of another site.',
  404: 'Not there, or of another wallet.',
  405: 'The path is known, the method is none of those in `Allow`.',
  408: 'The request came too slowly.',
  409: 'Not possible in the state that things are in.',
  413: 'Larger than the host takes.',
  422: 'Readable, but with values that cannot be accepted; `details` names them.',
  426: 'This is a WebSocket.',
  429: 'Too many tokens that are not known, or too many log streams.',
  431: 'The head of the request is too large.',
  500: 'The host failed.',
  503: 'The host is being stopped.',
  507: 'The disk of the host is full.',
} as const;

export type ErrorStatus = keyof typeof errorMeanings;
