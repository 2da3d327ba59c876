import * as fc from 'fast-check';

/** Generates any string, including lone surrogates. */
export const anyText = fc
  .uint16Array({ maxLength: 30 })
  .map((units) => String.fromCharCode(...units));
