/** A decimal as JSON writes numbers, without an exponent: `50`, `0.000001`. */
const literal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Whether a text can stand in JSON as a number, digit by digit. */
export function isDecimalLiteral(text: string): boolean {
  return literal.test(text);
}
