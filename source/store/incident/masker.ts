/**
 * Masks secrets in two passes: `learn` reads every text first, so that `mask` also hides a secret where only
 * another text tells that it is one.
 */
import { findSecrets } from './find-secrets.ts';
import { createKeyBlocks, type KeyBlocks } from './key-block.ts';
import { createKnownValues, shortestValue } from './known-values.ts';
import type { TextForm } from './named-secrets.ts';
import { formsOf, isSearched } from './secret-forms.ts';
import { isSecretName } from './secret-names.ts';
import { keyBegin, type SecretRule } from './secret-patterns.ts';

/** The part of an incident that a text belongs to. */
export type MaskedPlace = 'service' | 'deployment' | 'log' | 'edits' | 'history' | 'marks';

/** A text with what the rules must know of it. */
export interface TextPlace {
  readonly place: MaskedPlace;
  readonly form: TextForm;
  /** Source of the lines that follow each other, for keys that are written over several lines. */
  readonly source?: string | undefined;
}

/** Masked occurrences by rule and place, and the number of different secrets. */
export interface MaskedCounts {
  readonly secrets: number;
  readonly counts: readonly {
    readonly rule: SecretRule;
    readonly place: MaskedPlace;
    readonly count: number;
  }[];
}

export interface Masker {
  /** Learns the secrets of a text. */
  learn(text: string, place: TextPlace): void;
  /** Learns the secrets of a JSON value, by the names of its fields too. */
  learnJson(value: unknown, place: MaskedPlace): void;
  /** Ends the first pass. */
  seal(): void;
  /** Returns a text without the secrets that were learned. */
  mask(text: string, place: TextPlace): string;
  maskJson(value: unknown, place: MaskedPlace): unknown;
  counts(): MaskedCounts;
}

interface KnownSecret {
  /** Number by the first place where it was masked; 0 before. */
  number: number;
  readonly rule: SecretRule;
  readonly length: number;
}

interface MaskedPart {
  readonly start: number;
  readonly end: number;
  readonly secret: KnownSecret;
}

/** Levels of nested JSON that are read. */
const mostLevels = 100;

/**
 * Returns a masker.
 * @param own secrets that are known from the start: the token of the profile.
 */
export function createMasker(own: readonly string[] = []): Masker {
  const secrets = new Map<string, KnownSecret>();
  const known = createKnownValues();
  const counts = new Map<string, { rule: SecretRule; place: MaskedPlace; count: number }>();
  const shown = new Set<KnownSecret>();
  let keys = createKeyBlocks();

  const add = (value: string, rule: SecretRule): KnownSecret => {
    const found = secrets.get(value);
    if (found !== undefined) return found;
    const secret = { number: 0, rule, length: value.length };
    for (const form of formsOf(value)) {
      if (!secrets.has(form)) secrets.set(form, secret);
      if (isSearched(form)) known.add(form);
    }
    return secret;
  };
  for (const token of own) if (token.length >= shortestValue) add(token, 'token of this profile');

  const parts = (text: string, { form, source }: TextPlace, blocks: KeyBlocks): MaskedPart[] => {
    const found = findSecrets(text, form).map(({ start, end, rule }) => ({
      start,
      end,
      secret: add(text.slice(start, end), rule),
    }));
    const material = source === undefined ? [] : blocks.find(source, text);
    const ofKeys = material.map(({ start, end }) => ({
      start,
      end,
      secret: add(text.slice(start, end), 'private key'),
    }));
    return [...found, ...ofKeys];
  };

  const learn = (text: string, place: TextPlace): void => {
    for (const { start, end, secret } of parts(text, place, keys)) {
      if (secret.rule !== 'private key') continue;
      // The lines of a key may appear one by one.
      for (const line of text.slice(start, end).split(/\\[rn]|[\r\n]+/)) {
        const trimmed = line.trim();
        if (trimmed.length >= 32 && !keyBegin.test(trimmed)) add(trimmed, 'private key');
      }
    }
  };

  const learnJson = (value: unknown, place: MaskedPlace, level = 0): void => {
    const form = 'document';
    if (typeof value === 'string') return learn(value, { place, form });
    if (typeof value !== 'object' || value === null || level > mostLevels) return;
    const fields = Object.entries(value);
    const { name, key } = value as Readonly<Record<string, unknown>>;
    const isNamed = [name, key].some((one) => typeof one === 'string' && isSecretName(one));
    for (const [field, inner] of fields) {
      const isSecret = isSecretName(field) || (isNamed && field === 'value');
      if (isSecret && isText(inner)) addNamed(String(inner));
      learn(field, { place, form });
      learnJson(inner, place, level + 1);
    }
  };

  const addNamed = (value: string): void => {
    if (value !== '' && !/^(?:\$\{|\*+$|\[secret )/.test(value)) add(value, 'secret name');
  };

  const maskParts = (text: string, found: MaskedPart[], place: MaskedPlace): string => {
    if (found.length === 0) return text;
    let masked = '';
    let end = 0;
    for (const part of joined(found)) {
      const { rule } = part.secret;
      shown.add(part.secret);
      if (part.secret.number === 0) part.secret.number = shown.size;
      const key = `${rule} ${place}`;
      const before = counts.get(key)?.count ?? 0;
      counts.set(key, { rule, place, count: before + 1 });
      masked += text.slice(end, part.start) + maskOf(part.secret);
      end = part.end;
    }
    return masked + text.slice(end);
  };

  const mask = (text: string, place: TextPlace): string => {
    const elsewhere = known.find(text).flatMap(({ start, end, value }) => {
      const secret = secrets.get(value);
      return secret === undefined ? [] : [{ start, end, secret }];
    });
    return maskParts(text, [...parts(text, place, keys), ...elsewhere], place.place);
  };

  const maskJson = (value: unknown, place: MaskedPlace, level = 0): unknown => {
    if (typeof value === 'string') return mask(value, { place, form: 'document' });
    if (typeof value === 'number') {
      const text = String(value);
      const masked =
        secrets.has(text) && isSearched(text) ? mask(text, { place, form: 'line' }) : text;
      return masked === text ? value : masked;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (level > mostLevels) return '[nested too deeply]';
    if (Array.isArray(value)) return value.map((one) => maskJson(one, place, level + 1));
    const { name, key } = value as Readonly<Record<string, unknown>>;
    const isNamed = [name, key].some((one) => typeof one === 'string' && isSecretName(one));
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]: [string, unknown]) => {
        const shown = mask(field, { place, form: 'document' });
        const secret = isText(inner) ? secrets.get(String(inner)) : undefined;
        const isSecret = isSecretName(field) || (isNamed && field === 'value');
        if (!isSecret || secret === undefined) return [shown, maskJson(inner, place, level + 1)];
        return [shown, maskParts(String(inner), [wholePart(String(inner), secret)], place)];
      }),
    );
  };

  return {
    learn,
    learnJson,
    seal: () => {
      keys = createKeyBlocks();
    },
    mask,
    maskJson,
    counts: () => ({ secrets: shown.size, counts: [...counts.values()] }),
  };
}

/** Returns the mask of a secret: its number, and asterisks for its length, rounded to a class. */
function maskOf({ number, length }: KnownSecret): string {
  const asterisks = length < 8 ? 4 : length < 16 ? 8 : length < 32 ? 16 : 32;
  return `[secret ${number} ${'*'.repeat(asterisks)}]`;
}

function wholePart(text: string, secret: KnownSecret): MaskedPart {
  return { start: 0, end: text.length, secret };
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Returns parts in order, those that overlap as one with the mask of the longest. */
function joined(parts: readonly MaskedPart[]): readonly MaskedPart[] {
  const all: MaskedPart[] = [];
  for (const part of parts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last === undefined || part.start >= last.end) {
      all.push(part);
      continue;
    }
    const isLonger = part.end - part.start > last.end - last.start;
    const secret = isLonger ? part.secret : last.secret;
    all[all.length - 1] = { start: last.start, end: Math.max(last.end, part.end), secret };
  }
  return all;
}
