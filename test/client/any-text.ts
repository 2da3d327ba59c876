import * as fc from 'fast-check';

/** Any string there can be, halves of surrogate pairs included; far cheaper than `unit: 'binary'`. */
export const anyText = fc
  .uint16Array({ maxLength: 30 })
  .map((units) => String.fromCharCode(...units));
