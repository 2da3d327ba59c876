import meow, { type AnyFlags } from 'meow';
import packageJson from '../../package.json' with { type: 'json' };

/** A command line that cannot be followed, and why. */
export interface Usage {
  readonly kind: 'usage';
  readonly sentence: string;
}

/** Reads the words; a flag that is not declared comes back as wrong usage. */
export function parse<Flags extends AnyFlags>(help: string, argv: readonly string[], flags: Flags) {
  const [twice] = repeated(argv);
  const read = meow(help, {
    importMeta: import.meta,
    pkg: packageJson,
    description: packageJson.description,
    // The help is shown only to a command line of nothing else.
    argv: argv.includes('--help') ? ['--help'] : twice === undefined ? argv : [],
    flags,
    // meow's own refusal is no sentence.
    allowUnknownFlags: true,
  });
  if (twice !== undefined) {
    return { input: read.input, flags: read.flags, unknown: usage(`${twice} is given twice.`) };
  }
  const declared = new Set(Object.keys(flags));
  const strange = Object.keys(read.unnormalizedFlags).find(
    (name) => !declared.has(camelCased(name)),
  );
  return {
    input: read.input,
    flags: read.flags,
    unknown: strange === undefined ? undefined : usage(`There is no flag --${strange}.`),
  };
}

/** Flags that are given more than once, which meow takes for a mistake of the program. */
function repeated(argv: readonly string[]): readonly string[] {
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

export function usage(sentence: string): Usage {
  return { kind: 'usage', sentence };
}

/** The number that a text writes out, undefined for anything else or more than `most`. */
export function wholeNumber(text: string, most: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value <= most ? value : undefined;
}
