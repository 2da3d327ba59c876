/** Matches a JSON number without an exponent: `50`, `0.000001`. */
const literal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Returns true for a text that is a JSON number without an exponent. */
export function isDecimalLiteral(text: string): boolean {
  return literal.test(text);
}
