/** Templates of lines: tokens, of which some stand for any other. */
import { anything, mask, maskLine } from './mask-line.ts';

/** The tokens of a line or template. No two templates of one log match the same line. */
export type LineTokens = readonly string[];

export function tokensOf(masked: string): LineTokens {
  return masked.split(' ');
}

/** Returns whether a token of a template matches one of a line. */
function matchesToken(template: string, token: string): boolean {
  if (template === token || template === anything) return true;
  return template.endsWith(anything) && token.startsWith(template.slice(0, -anything.length));
}

/** Returns whether two tokens of templates match a same token. */
export function overlapTokens(one: string, other: string): boolean {
  return matchesToken(one, other) || matchesToken(other, one);
}

export function matchesTokens(template: LineTokens, tokens: LineTokens): boolean {
  return (
    template.length === tokens.length &&
    template.every((token, index) => matchesToken(token, tokens[index] ?? ''))
  );
}

/** Returns the token that stands for two; the key that both have remains: `user=<*>`. */
export function joinedToken(one: string, other: string): string {
  if (matchesToken(one, other)) return one;
  if (matchesToken(other, one)) return other;
  let key = 0;
  for (let at = 0; at < one.length && one[at] === other[at]; at += 1) {
    if (one[at] === '=' || one[at] === ':') key = at + 1;
  }
  return one.slice(0, key) + anything;
}

/** Returns whether a token has a part that differs from line to line. */
export function isVariable(token: string): boolean {
  return token.includes(mask) || token.endsWith(anything);
}

/** Returns the test of a line against a template in its text form: `user <*> opened <#> files`. */
export function templateTest(template: string): (line: string) => boolean {
  const tokens = tokensOf(template);
  return (line) => matchesTokens(tokens, tokensOf(maskLine(line)));
}
