/** Finds what a shell may complete at the end of a command line, by the table of commands. Pure. */
import type {
  ArgumentSpec,
  Completion,
  DescribedCommand,
  FlagSpec,
  FlagSpecs,
} from '../table/described-command.ts';
import { findCommand } from '../table/find-command.ts';
import { flagsOf } from '../table/shared-flags.ts';

/** A word that completes the typed one. */
export interface CompletedWord {
  readonly text: string;
  /** Empty where nothing is known about it. */
  readonly description: string;
  /** True where more may follow within the word, as behind a folder. */
  readonly isPart?: boolean;
}

/** The completions of a word. */
export type WantedCompletion =
  | { readonly kind: 'candidates'; readonly candidates: readonly CompletedWord[] }
  /** Records of the service or of this machine. */
  | {
      readonly kind: 'records';
      readonly completes: Completion;
      /** Text that is completed; without the flag that it is the value of. */
      readonly typed: string;
      /** True where a local file may stand in its place. */
      readonly mayBeFile: boolean;
      /** Text before `typed` in the same word, such as `--profile=`. */
      readonly prefix: string;
      /** Words of the command line that are neither flags nor the command. */
      readonly args: readonly string[];
      /** Values of flags by their names. */
      readonly flags: ReadonlyMap<string, string>;
    };

/** The words behind the command, told apart. */
interface ReadWords {
  readonly args: readonly string[];
  readonly flags: ReadonlyMap<string, string>;
  /** The flag whose value the next word is. */
  readonly open: FlagSpec | undefined;
  /** True behind `--`, where no word is a flag. */
  readonly isEnded: boolean;
}

/**
 * Returns what completes a word.
 * @param words whole words before it, without the program.
 * @param typed beginning of the word; empty at the start of a new one.
 */
export function wantedCompletion(
  words: readonly string[],
  typed: string,
  commands: readonly DescribedCommand[],
): WantedCompletion {
  const found = findCommand(words, commands);
  if (found.kind === 'unknown') return none;
  const command = found.kind === 'command' ? found.command : undefined;
  const path = command?.path ?? (found.kind === 'group' ? found.path : []);
  const specs = command === undefined ? {} : flagsOf(command);
  const { args, flags, open, isEnded } = readWords(found.rest, specs);
  const records = (
    completes: Completion,
    text: string,
    prefix: string,
    mayBeFile = false,
  ): WantedCompletion => ({
    kind: 'records',
    completes,
    mayBeFile,
    typed: text,
    prefix,
    args,
    flags,
  });
  const valueOf = (spec: FlagSpec, text: string, prefix: string): WantedCompletion => {
    if (spec.type === 'switch') return none;
    if (spec.choices !== undefined) return matching(spec.choices.map(wordOf), text, prefix);
    return spec.completes === undefined ? none : records(spec.completes, text, prefix);
  };
  if (open !== undefined) return valueOf(open, typed, '');
  if (!isEnded && typed.startsWith('-')) {
    const [, prefix = '', name = '', text = ''] = /^(--([^=]+)=)([^]*)$/.exec(typed) ?? [];
    const spec = specs[name];
    if (prefix !== '') return spec === undefined ? none : valueOf(spec, text, prefix);
    return matching(flagWords(specs, flags), typed);
  }
  const verbs = args.length === 0 && !isEnded ? verbsOf(path, commands) : [];
  const possible = argumentsAt(command?.args ?? [], args.length);
  const argument = possible.at(-1);
  const choices = [...verbs, ...(argument?.choices ?? []).map(wordOf)];
  if (choices.length > 0 || argument?.completes === undefined) return matching(choices, typed);
  if (argument.completes === 'command') return matching(verbsOf(args, commands), typed);
  const mayBeFile = possible.some(({ completes }) => completes === 'local-file');
  return records(argument.completes, typed, '', mayBeFile);
}

const none: WantedCompletion = { kind: 'candidates', candidates: [] };

function wordOf(text: string): CompletedWord {
  return { text, description: '' };
}

function matching(
  candidates: readonly CompletedWord[],
  typed: string,
  prefix = '',
): WantedCompletion {
  const found = candidates.filter(({ text }) => text.startsWith(typed));
  return {
    kind: 'candidates',
    candidates: found.map((candidate) => withPrefix(candidate, prefix)),
  };
}

/** Returns a candidate behind text of the same word. */
export function withPrefix(
  { text, description, isPart = false }: CompletedWord,
  prefix: string,
): CompletedWord {
  return { text: `${prefix}${text}`, description, isPart };
}

function readWords(words: readonly string[], specs: FlagSpecs): ReadWords {
  const args: string[] = [];
  const flags = new Map<string, string>();
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') {
      return { args: [...args, ...words.slice(index + 1)], flags, open: undefined, isEnded: true };
    }
    if (!word.startsWith('-') || word === '-') {
      args.push(word);
      continue;
    }
    const [written = '', ...values] = word.split('=');
    const [name, spec] = specOf(written, specs) ?? [];
    if (name === undefined || spec === undefined) continue;
    if (spec.type === 'switch' || values.length > 0) {
      flags.set(name, values.join('='));
      continue;
    }
    index += 1;
    const value = words[index];
    if (value === undefined) return { args, flags, open: spec, isEnded: false };
    flags.set(name, value);
  }
  return { args, flags, open: undefined, isEnded: false };
}

/** Returns the flag that is written as `--name`, `--no-name`, or with letters such as `-qf`. */
function specOf(written: string, specs: FlagSpecs): readonly [string, FlagSpec] | undefined {
  if (written.startsWith('--')) {
    const name = written.slice(2);
    const known = [name, name.replace(/^no-/, '')].find((each) => Object.hasOwn(specs, each));
    const spec = known === undefined ? undefined : specs[known];
    return known === undefined || spec === undefined ? undefined : [known, spec];
  }
  return Object.entries(specs).find(([, { letter }]) => letter === written.at(-1));
}

/** Returns the flags that may still be given. */
function flagWords(specs: FlagSpecs, given: ReadonlyMap<string, string>): readonly CompletedWord[] {
  return Object.entries(specs)
    .filter(([name, spec]) => !given.has(name) || (spec.type === 'value' && spec.isRepeated))
    .flatMap(([name, spec]) => {
      const isSwitch = spec.type === 'switch';
      const on = isSwitch && spec.isOnByDefault === true ? [] : [`--${name}`];
      const hasOff = isSwitch && (spec.isOnByDefault === true || spec.hasNoDefault === true);
      const off = hasOff ? [`--no-${name}`] : [];
      return [...on, ...off].map((text) => ({ text, description: spec.summary }));
    });
}

/** Returns the next words of the commands that begin with `path`. */
function verbsOf(
  path: readonly string[],
  commands: readonly DescribedCommand[],
): readonly CompletedWord[] {
  const found = new Map<string, string>();
  for (const command of commands) {
    const isBelow =
      command.path.length > path.length && path.every((word, at) => command.path[at] === word);
    const word = command.path[path.length];
    if (!isBelow || word === undefined) continue;
    const isWhole = command.path.length === path.length + 1;
    if (isWhole || !found.has(word)) found.set(word, isWhole ? command.summary : '');
  }
  return [...found].map(([text, description]) => ({ text, description }));
}

/** Returns the arguments that a word may be: behind a repeated one also each that follows it. */
function argumentsAt(args: readonly ArgumentSpec[], at: number): readonly ArgumentSpec[] {
  const repeated = args.findIndex(({ isRepeated = false }) => isRepeated);
  if (repeated === -1 || at <= repeated) return args.slice(at, at + 1);
  return args.slice(repeated);
}
