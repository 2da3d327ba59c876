/** The page of `man hostdeck`, in the macros of man(7). Pure. */
import { exitCodeMeanings } from '../exit-codes.ts';
import { argumentText, environmentNotes, flagText } from '../table/command-help.ts';
import {
  commandLineOf,
  type DescribedCommand,
  type FlagSpecs,
} from '../table/described-command.ts';
import { sharedFlagsOf, universalFlags } from '../table/shared-flags.ts';

export interface ManualOptions {
  readonly version: string;
  /** Date of the page, such as `2026-11-25`. */
  readonly date: string;
}

/** Returns the manual page of all commands. */
export function manualPage(
  commands: readonly DescribedCommand[],
  { version, date }: ManualOptions,
): string {
  const program = commands.find(({ path }) => path.length === 0);
  const others = commands.filter((command) => command !== program);
  const name = 'hostdeck \\- console and shell commands of a deployment hosting service';
  const lines = [
    '.\\" Written by the build from the table of commands.',
    `.TH HOSTDECK 1 "${date}" "hostdeck ${escapeRoff(version)}" "User Commands"`,
    '.SH NAME',
    name,
    '.SH SYNOPSIS',
    '.B hostdeck',
    '[\\fIFLAGS\\fR]',
    '.br',
    '.B hostdeck',
    '\\fICOMMAND\\fR [\\fIFLAGS\\fR]',
    '.SH DESCRIPTION',
    ...(program === undefined ? [] : paragraphs(program)),
    ...(program === undefined ? [] : ['.SH OPTIONS', ...flagLines(program.flags)]),
    '.SH COMMANDS',
    ...others.flatMap(commandLines),
    '.SH SHARED FLAGS',
    'Each command names those that it has.',
    ...flagLines(sharedFlags(others)),
    '.PP',
    'Every command has:',
    ...flagLines(universalFlags),
    '.SH ENVIRONMENT',
    ...environmentNotes.flatMap(([variable, meaning]) => term(variable, meaning)),
    '.SH FILES',
    ...fileNotes.flatMap(([file, meaning]) => term(file, meaning)),
    '.SH EXIT STATUS',
    ...exitCodeMeanings.flatMap(([code, meaning]) => term(String(code), meaning)),
  ];
  return `${lines.join('\n')}\n`;
}

const fileNotes: readonly (readonly [string, string])[] = [
  ['$XDG_CONFIG_HOME/hostdeck/config.yaml', 'profiles, keys and themes (~/.config/hostdeck)'],
  ['$XDG_CONFIG_HOME/hostdeck/addresses.json', 'names of wallet addresses'],
  ['$XDG_STATE_HOME/hostdeck', 'drafts, trash and other local state (~/.local/state/hostdeck)'],
  ['$XDG_DATA_HOME/hostdeck', 'records and files of the local host (~/.local/share/hostdeck)'],
];

/** Returns each flag that several commands share, once. */
function sharedFlags(commands: readonly DescribedCommand[]): FlagSpecs {
  return Object.assign({}, ...commands.map(sharedFlagsOf)) as FlagSpecs;
}

function commandLines(command: DescribedCommand): readonly string[] {
  const { args, flags, notes = [], examples = [] } = command;
  const shared = Object.keys(sharedFlagsOf(command)).map((name) => `--${name}`);
  return [
    `.SS "${escapeRoff(commandLineOf(command)).replaceAll('"', '""')}"`,
    `.B ${escapeRoff(commandLineOf(command))}`,
    [...args.map(argumentText), '[FLAGS]'].map((text) => `\\fI${escapeRoff(text)}\\fR`).join(' '),
    '.PP',
    ...paragraphs(command),
    ...args.flatMap(({ name, summary }) => term(name, summary)),
    ...flagLines(flags),
    ...(shared.length === 0 ? [] : ['.PP', ...textLines(`Shared flags: ${shared.join(', ')}.`)]),
    ...notes.flatMap(({ title, rows }) =>
      ['.PP'].concat(
        textLines(`${title}:`),
        rows.flatMap(([each, meaning]) => term(each, meaning)),
      ),
    ),
    ...examples.flatMap(({ line, summary }) =>
      ['.PP'].concat(textLines(`For example, ${summary}:`), [
        '.PP',
        '.RS 4',
        '.nf',
        textLine(line),
        '.fi',
        '.RE',
      ]),
    ),
  ];
}

function paragraphs({ summary, description = [] }: DescribedCommand): readonly string[] {
  return [summary, ...description].flatMap((text, at) =>
    (at === 0 ? [] : ['.PP']).concat(textLines(text)),
  );
}

function flagLines(flags: FlagSpecs): readonly string[] {
  return Object.entries(flags).flatMap(([name, spec]) => term(flagText(name, spec), spec.summary));
}

function term(name: string, meaning: string): readonly string[] {
  return ['.TP', `\\fB${escapeRoff(name)}\\fR`, ...textLines(meaning)];
}

/** Longest line of the source of a page; the reader's terminal wraps the text itself. */
const widest = 78;

/** Returns a paragraph as lines. */
function textLines(text: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (escapeRoff(longer).length > widest && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].filter((each) => each !== '').map(textLine);
}

/** Returns a line of text; a dot or an apostrophe at its beginning would make it a request. */
function textLine(text: string): string {
  const escaped = escapeRoff(text);
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

/** Returns a text for roff: a hyphen is copied as one, and a quote stays ASCII (man-pages(7)). */
export function escapeRoff(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '\\': '\\e',
    '-': '\\-',
    "'": '\\(aq',
    '`': '\\(ga',
    '^': '\\(ha',
    '~': '\\(ti',
  };
  return text.replaceAll(/[\\\-'`^~]/g, (character) => named[character] ?? character);
}
