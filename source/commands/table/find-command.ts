/** Finds the command that a command line calls. Pure. */
import { formatSuggestion } from '../../contract/sdl/near-name.ts';
import { commandLineOf, type DescribedCommand, type FlagSpecs } from './described-command.ts';
import { flagsOf } from './shared-flags.ts';

/** The command of a command line, and its other words. */
export type FoundCommand<C extends DescribedCommand> =
  | { readonly kind: 'command'; readonly command: C; readonly rest: readonly string[] }
  /** The words name several commands, such as `deployments`. */
  | { readonly kind: 'group'; readonly path: readonly string[]; readonly rest: readonly string[] }
  | {
      readonly kind: 'unknown';
      readonly word: string;
      readonly sentence: string;
      /** The noun before the word, whose help names its commands; empty for an unknown noun. */
      readonly path: readonly string[];
    };

/**
 * Returns the command whose words come first among the words that are no flags. Flags may stand
 * before and between them.
 */
export function findCommand<C extends DescribedCommand>(
  argv: readonly string[],
  commands: readonly C[],
): FoundCommand<C> {
  const places = wordPlaces(argv, everyFlagOf(commands));
  const [first, second] = places.map((place) => argv[place] ?? '');
  const without = (count: number) => {
    const taken = new Set(places.slice(0, count));
    return argv.filter((_, index) => !taken.has(index));
  };
  const called = (path: readonly string[]) => commands.find((one) => isSame(one.path, path));
  if (first === undefined) return callOf(called([]), [], argv);
  const group = commands.filter(({ path }) => path[0] === first);
  if (group.length === 0) {
    const names = new Set(commands.flatMap(({ path }) => path.slice(0, 1)));
    return {
      kind: 'unknown',
      word: first,
      path: [],
      sentence: `Unknown command ${first}.${formatSuggestion(first, names)}`,
    };
  }
  const exact = second === undefined ? undefined : called([first, second]);
  if (exact !== undefined) return callOf(exact, [first, second ?? ''], without(2));
  const noun = called([first]);
  // A command of one word takes the second one as its argument.
  const isCalled = noun !== undefined && (second === undefined || takesWords(noun));
  if (isCalled || second === undefined) return callOf(noun, [first], without(1));
  const verbs = group.flatMap(({ path }) => path.slice(1, 2));
  const near = formatSuggestion(second, verbs).replace(
    / Did you mean (.*)\?$/,
    (_, verb: string) => ` Did you mean ${commandLineOf({ path: [first, verb] })}?`,
  );
  const sentence = `Unknown command ${first} ${second}.${near}`;
  return { kind: 'unknown', word: second, sentence, path: [first] };
}

function callOf<C extends DescribedCommand>(
  command: C | undefined,
  path: readonly string[],
  rest: readonly string[],
): FoundCommand<C> {
  return command === undefined ? { kind: 'group', path, rest } : { kind: 'command', command, rest };
}

function takesWords({ args }: DescribedCommand): boolean {
  return args.length > 0;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((word, index) => word === right[index]);
}

/** Returns the places of the words that are neither flags nor their values, up to `--`. */
function wordPlaces(argv: readonly string[], flags: FlagSpecs): readonly number[] {
  const places: number[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') places.push(index);
    else if (flags[word.slice(2)]?.type === 'value' && word.startsWith('--')) index += 1;
  }
  return places;
}

/** Returns the flags of all commands: a test makes sure that one name has one type. */
export function everyFlagOf(commands: readonly DescribedCommand[]): FlagSpecs {
  return Object.assign({}, ...commands.map(flagsOf)) as FlagSpecs;
}
