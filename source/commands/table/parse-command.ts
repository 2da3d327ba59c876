/** Reads a command line: the command's words are taken first, then meow parses its own flags. */
import meow, { type AnyFlags } from 'meow';
import packageJson from '../../../package.json' with { type: 'json' };
import type { ServiceFlags } from '../../config/service-target.ts';
import type {
  CommandSpec,
  CommandWords,
  LocalCommandSpec,
  ServiceCommandSpec,
} from './command-spec.ts';
import {
  commandLineOf,
  type DescribedCommand,
  type FlagSpec,
  type FlagSpecs,
} from './described-command.ts';
import { everyFlagOf, findCommand } from './find-command.ts';
import { type CommonOptions, flagsOf } from './shared-flags.ts';
import { spellOutFlags, unknownFlagOf } from './spell-out-flags.ts';

type ParsedFlags = Readonly<Record<string, unknown>>;

/** A validated command line. */
export type ParsedCommand =
  | { readonly kind: 'help'; readonly path: readonly string[] }
  | { readonly kind: 'version' }
  /** The console or `host`, which read their flags themselves. */
  | { readonly kind: 'program'; readonly path: readonly string[] }
  | {
      readonly kind: 'usage';
      readonly sentence: string;
      /** Words of the command whose help tells more. */
      readonly path: readonly string[];
      /** True where errors are wanted as JSON. */
      readonly isJson: boolean;
    }
  | {
      readonly kind: 'command';
      readonly command: ServiceCommandSpec | LocalCommandSpec;
      readonly words: CommandWords;
      readonly options: CommonOptions;
      readonly connection: ServiceFlags;
    };

/** Reads a command line by the table of commands. */
export function parseCommand(
  argv: readonly string[],
  commands: readonly CommandSpec[],
): ParsedCommand {
  const flagWords = beforeEnd(argv);
  const isJson = flagWords.includes('--json');
  const usage = (sentence: string, path: readonly string[]): ParsedCommand => ({
    kind: 'usage',
    sentence,
    path,
    isJson,
  });
  // Every user of this machine can read the command line in the process list.
  if (flagWords.some((word) => /^--(access-)?token(=|$)/.test(word))) {
    return usage('Tokens are not accepted as flags. Set HOSTDECK_TOKEN.', []);
  }
  const found = findCommand(argv, commands);
  if (found.kind === 'unknown') {
    // A mistyped flag makes its value look like a command.
    const before = argv[argv.indexOf(found.word) - 1] ?? '';
    const flag = unknownFlagOf([before], everyFlagOf(commands));
    return usage(flag ?? found.sentence, found.path);
  }
  const path = found.kind === 'group' ? found.path : found.command.path;
  const asked = universalAnswer(found.rest, path);
  if (asked !== undefined) return asked;
  if (found.kind === 'group') {
    const [extra] = beforeEnd(found.rest);
    if (extra === undefined) return { kind: 'help', path };
    const unknown = unknownFlagOf(found.rest, nounFlagsOf(path, commands));
    return usage(unknown ?? `${commandLineOf({ path })} needs a command.`, path);
  }
  const { command, rest } = found;
  if (command.kind === 'program') {
    const flags = nounFlagsOf(path, commands);
    const unknown = unknownFlagOf(rest, flags);
    if (unknown !== undefined) return usage(unknown, path);
    const spelled = spellOutFlags(rest, flags);
    const extra = spelled.ok ? extraWordProblem(command, spelled.words) : undefined;
    return extra === undefined ? { kind: 'program', path } : usage(extra, path);
  }
  const spelled = spellOutFlags(rest, flagsOf(command));
  if (!spelled.ok) return usage(spelled.sentence, path);
  const wrongWords = wordsProblem(command, spelled.words);
  if (wrongWords !== undefined) return usage(wrongWords, path);
  const values = readValues(command, spelled.flags);
  if (typeof values === 'string') return usage(values, path);
  const { profile, 'base-url': baseUrl, json, fields, quiet, yes, 'dry-run': dryRun } = values;
  if (profile !== undefined && baseUrl !== undefined) {
    return usage('--profile and --base-url name two services. Give one of them.', path);
  }
  if (fields !== undefined && json !== true) return usage('--fields needs --json.', path);
  const flags = Object.fromEntries(
    Object.keys(command.flags).map((name) => [name, values[name]]),
  ) as Readonly<Record<string, never>>;
  const options: CommonOptions = {
    json: json === true,
    fields: fields as readonly string[] | undefined,
    quiet: quiet === true,
    yes: yes === true,
    dryRun: dryRun === true,
  };
  const conflict = command.findConflict?.(flags, options);
  if (conflict !== undefined) return usage(conflict, path);
  return {
    kind: 'command',
    command,
    words: { args: spelled.words, flags },
    options,
    connection: {
      profile: profile as string | undefined,
      baseUrl: baseUrl as string | undefined,
    },
  };
}

/** Returns the flags of all commands of a noun, which share one reader where they are programs. */
function nounFlagsOf([noun]: readonly string[], commands: readonly CommandSpec[]): FlagSpecs {
  const siblings = commands.filter(({ path }) => path[0] === noun);
  return Object.assign({}, ...siblings.map(flagsOf)) as FlagSpecs;
}

function beforeEnd(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

/** Returns the answer to `--help` and `--version`, which no other mistake hides. */
function universalAnswer(
  rest: readonly string[],
  path: readonly string[],
): ParsedCommand | undefined {
  const words = beforeEnd(rest);
  if (words.includes('--help') || words.includes('-h')) return { kind: 'help', path };
  if (words.includes('--version') || words.includes('-V')) return { kind: 'version' };
  return undefined;
}

/** Returns why the words don't fit the arguments of the command. */
function wordsProblem(command: DescribedCommand, words: readonly string[]): string | undefined {
  const { args } = command;
  const line = commandLineOf(command);
  const missing = args.filter(({ isRequired }) => isRequired)[words.length];
  if (missing !== undefined) return `${line} needs ${missing.name}: ${missing.summary}.`;
  const wrong = args.find(
    ({ choices }, at) => choices?.includes(words[at] ?? choices[0] ?? '') === false,
  );
  if (wrong !== undefined) return `${wrong.name} must be ${oneOf(wrong.choices)}.`;
  const empty = words.findIndex((word) => word === '');
  if (empty !== -1) return `${(args[empty] ?? args.at(-1))?.name ?? 'A word'} is empty.`;
  return extraWordProblem(command, words);
}

/** Returns the sentence about the first word that no argument of the command takes. */
function extraWordProblem(command: DescribedCommand, words: readonly string[]): string | undefined {
  const { args } = command;
  const line = commandLineOf(command);
  const isRepeated = args.some((argument) => argument.isRepeated === true);
  const extra = isRepeated ? undefined : words[args.length];
  if (extra === undefined) return undefined;
  return args.length === 0
    ? `${line} takes no words; ${extra} is too many.`
    : `${line} takes ${args.map(({ name }) => name).join(' ')}; ${extra} is too many.`;
}

/** Returns the values of all flags by their names, or why one of them is wrong. */
function readValues(command: DescribedCommand, flags: readonly string[]): ParsedFlags | string {
  const specs = flagsOf(command);
  const read = meow({
    importMeta: import.meta,
    pkg: packageJson,
    argv: flags,
    autoHelp: false,
    autoVersion: false,
    booleanDefault: undefined,
    flags: Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [camelCaseOf(name), meowFlag(spec)]),
    ),
  });
  const values: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(specs)) {
    const given: unknown = read.flags[camelCaseOf(name)];
    if (spec.type === 'switch') {
      values[name] = spec.hasNoDefault === true ? given : given === true;
      continue;
    }
    const texts = (Array.isArray(given) ? given : given === undefined ? [] : [given]) as string[];
    const parsed = texts.map((text) => parseValue(text, spec));
    if (parsed.includes(undefined)) return `--${name} must be ${expectedOf(spec)}.`;
    values[name] = spec.isRepeated === true ? parsed : parsed[0];
  }
  return values;
}

type ValueFlag = Extract<FlagSpec, { type: 'value' }>;

function parseValue(text: string, { choices, parse }: ValueFlag): unknown {
  if (parse !== undefined) return parse(text);
  return choices === undefined || choices.includes(text) ? text : undefined;
}

function expectedOf({ choices = [], expected }: ValueFlag): string {
  return expected ?? oneOf(choices);
}

/** Joins words as in a sentence: `a, b or c`. */
function oneOf(choices: readonly string[] = []): string {
  return choices.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}

function meowFlag(spec: FlagSpec): AnyFlags[string] {
  if (spec.type === 'switch') {
    const { hasNoDefault = false, isOnByDefault = false } = spec;
    return hasNoDefault ? { type: 'boolean' } : { type: 'boolean', default: isOnByDefault };
  }
  return spec.isRepeated === true ? { type: 'string', isMultiple: true } : { type: 'string' };
}

/** Returns the name that meow gives a flag. */
function camelCaseOf(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
