import meow, { type AnyFlags } from 'meow';
import packageJson from '../../package.json' with { type: 'json' };

/** A command line that can't be used, and the reason. */
export interface Usage {
  readonly kind: 'usage';
  readonly sentence: string;
}

/** Parses words and flags with meow; an unknown or repeated flag is wrong usage. */
export function parse<Flags extends AnyFlags>(words: readonly string[], flags: Flags) {
  const argv = withNegativeValues(words, flags);
  const [repeated] = repeatedFlags(argv);
  const read = meow({
    importMeta: import.meta,
    pkg: packageJson,
    argv: repeated === undefined ? argv : [],
    // The table of commands answers these.
    autoHelp: false,
    autoVersion: false,
    flags,
    // The check below words its refusal as a sentence, which meow doesn't.
    allowUnknownFlags: true,
  });
  if (repeated !== undefined) {
    const unknown = usage(`${repeated} is given more than once.`);
    return { input: read.input, flags: read.flags, unknown };
  }
  const declared = new Set(Object.keys(flags));
  const undeclared = Object.keys(read.unnormalizedFlags).find(
    (name) => !declared.has(camelCased(name)),
  );
  return {
    input: read.input,
    flags: read.flags,
    unknown: undeclared === undefined ? undefined : usage(`Unknown flag --${undeclared}.`),
  };
}

/** Joins a negative number to the flag before it: meow takes it for flags of one letter. */
function withNegativeValues(words: readonly string[], flags: AnyFlags): readonly string[] {
  const isValue = (word: string, flag: string | undefined): boolean =>
    /^-\d/.test(word) &&
    flag?.startsWith('--') === true &&
    flags[camelCased(flag.slice(2))]?.type === 'string';
  return words.flatMap((word, index) => {
    if (isValue(word, words[index - 1])) return [];
    const next = words[index + 1];
    return next !== undefined && isValue(next, word) ? `${word}=${next}` : word;
  });
}

/** Returns flags that are given more than once; meow throws on these. */
function repeatedFlags(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  const names = argv
    .slice(0, end === -1 ? argv.length : end)
    .filter((word) => word.startsWith('--'))
    .map((word) => word.replace(/=.*$/, ''));
  return names.filter((name, index) => names.indexOf(name) !== index);
}

function camelCased(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns wrong usage with its sentence. */
export function usage(sentence: string): Usage {
  return { kind: 'usage', sentence };
}

/** Parses a whole number of at most `most`; undefined for anything else. */
export function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value <= most ? value : undefined;
}
