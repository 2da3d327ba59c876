/**
 * Masks secrets in two passes: the first learns every secret, so that the second also hides one where only
 * another text tells that it is one.
 */
import { KnownValues, shortestValue } from './known-values.ts';
import { isPlaceholder, isSecretName } from './named-secrets.ts';
import { decodedText, findSecrets, type TextForm } from './secret-rules.ts';

/** The number of different secrets, and of the places where one was masked. */
export interface MaskedCounts {
  readonly secrets: number;
  readonly places: number;
}

interface Secret {
  /** Number by the first place where it was masked; 0 before. */
  number: number;
  readonly length: number;
}

interface SecretPart {
  readonly start: number;
  readonly end: number;
  readonly secret: Secret;
}

/** Levels of nested JSON that are read. */
const mostLevels = 100;

/** Passwords of examples, which are ordinary words of logs too. They are masked only behind their names. */
const ordinary =
  /^(?:postgres|password|passwd|changeme|default|example|secret|localhost|production|development|staging|testing|mongodb|mysql|mariadb|rabbitmq|redis|guest|admin|administrator|bearer|basic|public|private|string|number|boolean|object|\d{1,7})$/i;

export class Masker {
  readonly #secrets = new Map<string, Secret>();
  readonly #known = new KnownValues<Secret>();
  #shown = 0;
  #places = 0;
  #isSealed = false;

  /** @param own secrets that are known from the start: the token of the profile. */
  constructor(own: readonly string[] = []) {
    for (const token of own) if (token.length >= shortestValue) this.#add(token);
  }

  /** Ends the first pass. The second must mask the same texts in the same order. */
  seal(): void {
    this.#isSealed = true;
  }

  /** Learns the secrets of a text and returns it; in the second pass without them. */
  text(text: string, form: TextForm): string {
    const found = findSecrets(text, form).map(({ start, end }) => ({
      start,
      end,
      secret: this.#add(text.slice(start, end)),
    }));
    return this.#isSealed ? this.#masked(text, [...found, ...this.#known.find(text)]) : text;
  }

  /** Does the same with each text of a JSON value; the names of fields tell of secrets, too. */
  json<T>(value: T): T;
  json(value: unknown, isNamed?: boolean, level?: number): unknown;
  json(value: unknown, isNamed = false, level = 0): unknown {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      const masked = isNamed ? this.#whole(text) : this.text(text, 'document');
      return masked === text ? value : masked;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (level > mostLevels) return '[nested too deeply]';
    if (Array.isArray(value)) return value.map((one) => this.json(one, isNamed, level + 1));
    const { name, key } = value as Readonly<Record<string, unknown>>;
    const namesValue = isSecretName(name) || isSecretName(key);
    const fields = Object.entries(value).map(([field, inner]) => {
      const namesInner = isSecretName(field) || (namesValue && field === 'value');
      return [this.text(field, 'document'), this.json(inner, namesInner, level + 1)];
    });
    return Object.fromEntries(fields);
  }

  counts(): MaskedCounts {
    return { secrets: this.#shown, places: this.#places };
  }

  #whole(text: string): string {
    if (isPlaceholder(text)) return text;
    const whole = { start: 0, end: text.length, secret: this.#add(text) };
    return this.#isSealed ? this.#masked(text, [whole]) : text;
  }

  #add(value: string): Secret {
    const found = this.#secrets.get(value);
    if (found !== undefined) return found;
    const secret = { number: 0, length: value.length };
    for (const form of formsOf(value)) {
      if (this.#secrets.has(form)) continue;
      this.#secrets.set(form, secret);
      if (!ordinary.test(form)) this.#known.add(form, secret);
    }
    // The lines of a key, the values of cookies and the texts of a list may appear one by one.
    for (const piece of value.split(/\\[nr]|%26|[\s"'`\\,;=&]+/)) {
      if (piece.length < value.length && isNoWord(piece)) this.#add(piece);
    }
    return secret;
  }

  #masked(text: string, parts: readonly SecretPart[]): string {
    let masked = '';
    let end = 0;
    for (const part of joined(parts)) {
      const { secret } = part;
      if (secret.number === 0) secret.number = this.#shown += 1;
      this.#places += 1;
      masked += text.slice(end, part.start) + maskOf(secret);
      end = part.end;
    }
    return masked + text.slice(end);
  }
}

/** Returns the mask of a secret: its number, and asterisks for its length, rounded to a class. */
function maskOf({ number, length }: Secret): string {
  const asterisks = length < 8 ? 4 : length < 16 ? 8 : length < 32 ? 16 : 32;
  return `[secret ${number} ${'*'.repeat(asterisks)}]`;
}

/** Returns parts in order, those that overlap as one with the mask of the first. */
function joined(parts: readonly SecretPart[]): readonly SecretPart[] {
  const all: SecretPart[] = [];
  for (const part of parts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || part.start >= last.end) all.push(part);
    else if (part.end > last.end) all[all.length - 1] = { ...last, end: part.end };
  }
  return all;
}

/** Returns whether a text has a digit, or at least 3 bits of entropy (Shannon) a character: words have less. */
function isNoWord(text: string): boolean {
  if (text.length < 8) return false;
  const counts = Map.groupBy(text, (character) => character).values();
  const shares = Array.from(counts, ({ length }) => length / text.length);
  return /\d/.test(text) || shares.reduce((sum, one) => sum - one * Math.log2(one), 0) >= 3;
}

/** Returns a secret as it may stand elsewhere: decoded, percent-encoded, escaped for JSON or HTML, in base64. */
function formsOf(value: string): readonly string[] {
  if (value.length > 4096) return [value];
  const inBase64 = decodedText(value);
  const decoded = [
    value,
    attempt(() => JSON.parse(`"${value}"`) as string),
    attempt(() => decodeURIComponent(value)),
    // Behind `Basic`, the password follows the name of the user.
    inBase64?.slice(inBase64.indexOf(':') + 1),
  ].filter((form) => form !== undefined);
  const forms = decoded.flatMap((form) => [
    form,
    encodeURIComponent(form.toWellFormed()),
    JSON.stringify(form).slice(1, -1),
    form.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character),
    Buffer.from(form).toString('base64').replace(/=+$/, ''),
  ]);
  return [...new Set(forms)];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function attempt(decode: () => string): string | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}
