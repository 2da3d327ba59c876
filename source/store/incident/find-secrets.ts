/** Finds the secrets of one text. Pure. */
import { findNamedSecrets, type TextForm } from './named-secrets.ts';
import { mayHoldSecret, type SecretRule, secretPatterns } from './secret-patterns.ts';

/** A secret in a text, from `start` to `end`. */
export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  readonly rule: SecretRule;
}

/** Returns the secrets of a text, in any order; they may overlap. */
export function findSecrets(text: string, form: TextForm): readonly FoundSecret[] {
  if (!mayHoldSecret.test(text)) return [];
  const found: FoundSecret[] = [];
  for (const { rule, pattern } of secretPatterns) {
    for (const match of text.matchAll(pattern)) {
      const secret = match.groups?.['secret'] ?? match[0];
      // The secret ends its match, apart from a lookahead or the `@` of a URL.
      const start = match.index + match[0].lastIndexOf(secret);
      if (!isSecret(match[0], secret)) continue;
      if (rule === 'cookie') found.push(...cookieValues(secret, start));
      else found.push({ start, end: start + secret.length, rule });
    }
  }
  for (const { start, end } of findNamedSecrets(text, form)) {
    found.push({ start, end, rule: 'secret name' });
  }
  return withoutMasks(text, found);
}

/** Leaves out what begins within a mask, so that a masked text stays as it is. */
function withoutMasks(text: string, found: readonly FoundSecret[]): readonly FoundSecret[] {
  if (found.length === 0) return found;
  const masks = Array.from(text.matchAll(/\[secret \d{1,9} \*{4,32}\]/g), ({ index, 0: mask }) => ({
    index,
    end: index + mask.length,
  }));
  if (masks.length === 0) return found;
  return found.filter(
    ({ start }) => !masks.some(({ index, end }) => start >= index && start < end),
  );
}

const attributes = /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|version)$/i;

/** Returns the values of the cookies in a header (RFC 6265), without the attributes of `Set-Cookie`. */
function cookieValues(header: string, at: number): readonly FoundSecret[] {
  const pairs = header.matchAll(/(?<name>[\w.-]{1,100})=(?<value>[^;\s,]{3,8192})/g);
  return Array.from(pairs).flatMap(({ index, 0: pair, groups = {} }) => {
    const { name = '', value = '' } = groups;
    if (attributes.test(name) || value.startsWith('[secret')) return [];
    const end = at + index + pair.length;
    return [{ start: end - value.length, end, rule: 'cookie' as const }];
  });
}

/** Returns false for words behind `Basic`, and for values that are masked or left to a variable. */
function isSecret(match: string, secret: string): boolean {
  if (/^(?:\$\{|\*+$|<|\[secret )/.test(secret)) return false;
  return !/^(?:basic\s|auth\W)/i.test(match) || decodedPair(secret) !== undefined;
}

/** Returns the password of `user:password` in base64 (RFC 7617); undefined for any other text. */
export function decodedPair(base64: string): string | undefined {
  const text = decodedText(base64);
  const colon = text?.indexOf(':') ?? -1;
  return colon < 0 ? undefined : text?.slice(colon + 1);
}

/** Returns the printable text that base64 stands for; undefined where it stands for none. */
export function decodedText(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(base64)) return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const text = bytes.toString('utf8');
  return /^[^\p{Cc}\ufffd]+$/u.test(text) ? text : undefined;
}
