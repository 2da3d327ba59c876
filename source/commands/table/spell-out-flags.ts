/** Splits a command line into flags and words by the flags of its command. Pure. */
import { findNearName } from '../../contract/sdl/near-name.ts';
import type { FlagSpec, FlagSpecs } from './described-command.ts';

/** A command line whose flags are spelled out, such as `--file=app.yaml`, and its other words. */
export type SpelledOut =
  | { readonly ok: true; readonly flags: readonly string[]; readonly words: readonly string[] }
  | { readonly ok: false; readonly sentence: string };

type Failure = Extract<SpelledOut, { ok: false }>;

/** A flag as it was typed, and its value where that is in the same word. */
interface TypedFlag {
  /** The flag as it was typed, such as `-f` or `--no-follow`. */
  readonly typed: string;
  readonly name: string;
  readonly isNegated: boolean;
  readonly value: string | undefined;
}

/**
 * Spells out each flag before `--`: letters become names, and the value of the next word is joined,
 * whatever it begins with. A flag that the command doesn't have is named as it was typed.
 */
export function spellOutFlags(argv: readonly string[], specs: FlagSpecs): SpelledOut {
  const flags: string[] = [];
  const words: string[] = [];
  const seen = new Set<string>();
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') {
      words.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const typed = word.startsWith('--') ? [longFlag(word, specs)] : letterFlags(word, specs);
    for (const flag of typed) {
      if ('sentence' in flag) return flag;
      const spec = specs[flag.name];
      if (spec === undefined) return unknownFlag(flag.typed, specs);
      if (seen.has(flag.name) && !(spec.type === 'value' && spec.isRepeated === true))
        return failure(`${flag.typed} is given more than once.`);
      seen.add(flag.name);
      if (spec.type === 'switch') {
        if (flag.value !== undefined) return failure(`${flag.typed} takes no value.`);
        flags.push(flag.isNegated ? `--no-${flag.name}` : `--${flag.name}`);
        continue;
      }
      const next = flag.value ?? argv[index + 1];
      if (next === undefined) return failure(`${flag.typed} needs a value: ${spec.value}.`);
      if (flag.value === undefined) index += 1;
      flags.push(`--${flag.name}=${next}`);
    }
  }
  return { ok: true, flags, words };
}

/**
 * Returns the sentence about the first flag of a command line that reads its values itself and that
 * doesn't have this flag; undefined where it has all.
 */
export function unknownFlagOf(argv: readonly string[], specs: FlagSpecs): string | undefined {
  const end = argv.indexOf('--');
  for (const word of argv.slice(0, end === -1 ? argv.length : end)) {
    // A negative number is a value.
    if (!/^-[^\d]/.test(word)) continue;
    const typed = word.replace(/=.*$/, '');
    const isLong = typed.startsWith('--');
    const name = isLong ? longFlag(word, specs).name : withLetter(typed.slice(1), specs)?.[0];
    if (name === undefined || !(name in specs)) return unknownFlag(typed, specs).sentence;
  }
  return undefined;
}

function longFlag(word: string, specs: FlagSpecs): TypedFlag {
  const at = word.indexOf('=');
  const typed = at === -1 ? word : word.slice(0, at);
  const value = at === -1 ? undefined : word.slice(at + 1);
  const name = typed.slice(2);
  const positive = name.replace(/^no-/, '');
  const isNegated = !(name in specs) && specs[positive]?.type === 'switch' && positive !== name;
  return { typed, name: isNegated ? positive : name, isNegated, value };
}

/** Reads a word of letters: `-qy`, `-f FILE`, `-fFILE` or `-f=FILE`. */
function letterFlags(word: string, specs: FlagSpecs): readonly (TypedFlag | Failure)[] {
  const found: (TypedFlag | Failure)[] = [];
  const letters = Array.from(word.slice(1));
  for (const [index, letter] of letters.entries()) {
    const typed = `-${letter}`;
    const [name, spec] = withLetter(letter, specs) ?? [];
    if (name === undefined || spec === undefined) {
      // A word of several letters is rather a flag with a dash too few.
      const whole = letters.length > 2 && index === 0 ? word : typed;
      return [...found, unknownFlag(whole, specs)];
    }
    const rest = letters.slice(index + 1).join('');
    if (spec.type === 'value') {
      const value = rest === '' ? undefined : rest.replace(/^=/, '');
      return [...found, { typed, name, isNegated: false, value }];
    }
    found.push({ typed, name, isNegated: false, value: undefined });
  }
  return found;
}

function withLetter(letter: string, specs: FlagSpecs): readonly [string, FlagSpec] | undefined {
  return Object.entries(specs).find(([, spec]) => spec.letter === letter);
}

function unknownFlag(typed: string, specs: FlagSpecs): Failure {
  const name = typed.replace(/^-+/, '');
  const known = Object.keys(specs);
  const near = known.includes(name) ? name : findNearName(name, known);
  return failure(`Unknown flag ${typed}.${near === undefined ? '' : ` Did you mean --${near}?`}`);
}

function failure(sentence: string): Failure {
  return { ok: false, sentence };
}
