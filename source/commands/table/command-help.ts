/** The help of the program, of a group of commands and of a command. Pure. */
import { cellWidth, padCells } from '../../terminal/screen/cells.ts';
import { exitCodeMeanings } from '../exit-codes.ts';
import {
  type ArgumentSpec,
  commandLineOf,
  type DescribedCommand,
  type FlagSpecs,
} from './described-command.ts';
import { sharedFlagsOf, universalFlags } from './shared-flags.ts';

/** Variables that every command reads. */
export const environmentNotes: readonly (readonly [string, string])[] = [
  ['HOSTDECK_BASE_URL', 'service to connect to'],
  ['HOSTDECK_TOKEN', 'access token; or HOSTDECK_TOKEN_FILE, a file with it'],
  ['HOSTDECK_TOKEN_COMMAND', 'command that prints the token'],
  ['HOSTDECK_PROFILE', 'profile of config.yaml; else the name of HOSTDECK_BASE_URL'],
  ['HOSTDECK_WALLET', 'your wallet address'],
  ['HOSTDECK_RESTART_DELAY', 'same as --restart-delay'],
  ['HOSTDECK_PROOF', 'seconds in which a restart is proved (30), or off'],
  ['HOSTDECK_LOG_LINES', 'same as --log-lines'],
  ['HOSTDECK_LOG_BYTES', 'same as --log-bytes'],
  ['HOSTDECK_STREAM_AUTH', 'how streams send the token: header (default), subprotocol or query'],
];

/** Widest line of a help text. */
const widest = 100;

/**
 * Returns the help of the command with these words, or of the group or program that they name.
 * Undefined where there is none.
 */
export function helpOf(
  path: readonly string[],
  commands: readonly DescribedCommand[],
  columns: number,
): string | undefined {
  const width = Math.min(columns, widest);
  const command = commands.find((one) => one.path.join(' ') === path.join(' '));
  const group = commands.filter(
    (one) => one.path.length > path.length && path.every((word, at) => one.path[at] === word),
  );
  if (path.length === 0) return text(programHelp(command, group, width));
  if (command === undefined && group.length === 0) return undefined;
  if (command === undefined) return text(groupHelp(path, group, width));
  return text(commandHelp(command, group, width));
}

function text(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}

function programHelp(
  command: DescribedCommand | undefined,
  commands: readonly DescribedCommand[],
  width: number,
): readonly string[] {
  const nouns = Map.groupBy(commands, ({ path }) => path[0] ?? '');
  const rows = [...nouns].map(([noun, found]): readonly [string, string] => {
    const [first] = found;
    const single = found.find(({ path }) => path.length === 1);
    return [noun, single?.summary ?? verbsOf(found) ?? first?.summary ?? ''];
  });
  return [
    ...(command === undefined ? [] : paragraphs(command, width)),
    ...section('Usage', ['  hostdeck [FLAGS]', '  hostdeck COMMAND [FLAGS]']),
    ...section('Commands', table(rows, width)),
    ...(command === undefined ? [] : section('Flags', flagTable(command.flags, width))),
    ...section('Flags of every command', flagTable(universalFlags, width)),
    ...section('Environment', table(environmentNotes, width)),
    ...section(
      'Exit codes',
      table(
        exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
        width,
      ),
    ),
    '',
    'hostdeck help COMMAND tells more about a command.',
  ];
}

/** Returns the verbs of a noun, such as `list, get, create`. */
function verbsOf(commands: readonly DescribedCommand[]): string | undefined {
  const verbs = commands.flatMap(({ path }) => path.slice(1, 2));
  return verbs.length === 0 ? undefined : verbs.join(', ');
}

function groupHelp(
  path: readonly string[],
  group: readonly DescribedCommand[],
  width: number,
): readonly string[] {
  const line = commandLineOf({ path });
  return [
    ...section('Usage', [`  ${line} COMMAND [FLAGS]`]).slice(1),
    ...section('Commands', commandTable(group, width)),
    '',
    `${commandLineOf({ path: ['help', ...path] })} COMMAND tells more about a command.`,
  ];
}

function commandHelp(
  command: DescribedCommand,
  group: readonly DescribedCommand[],
  width: number,
): readonly string[] {
  const { args, flags, examples = [], notes = [] } = command;
  const shared = sharedFlagsOf(command);
  return [
    ...paragraphs(command, width),
    ...section('Usage', [`  ${usageLineOf(command)}`]),
    ...section('Commands', commandTable(group, width)),
    ...section(
      'Arguments',
      table(
        args.map(({ name, summary }) => [name, summary]),
        width,
      ),
    ),
    ...section('Flags', flagTable(flags, width)),
    ...section('Shared flags', flagTable({ ...shared, ...universalFlags }, width)),
    ...notes.flatMap(({ title, rows }) => section(title, table(rows, width))),
    ...section(
      'Examples',
      examples.flatMap(({ line, summary }) => [`  # ${summary}`, `  $ ${line}`]),
    ),
  ];
}

/** Returns the usage line of a command, such as `hostdeck deployments get NAME [FLAGS]`. */
export function usageLineOf(command: DescribedCommand): string {
  return [commandLineOf(command), ...command.args.map(argumentText), '[FLAGS]'].join(' ');
}

export function argumentText({ name, isRequired, isRepeated = false }: ArgumentSpec): string {
  const repeated = isRepeated ? `${name}...` : name;
  return isRequired ? repeated : `[${repeated}]`;
}

/** Returns how a flag is written, such as `-f, --file FILE`, `--no-color` or `--[no-]follow`. */
export function flagText(name: string, spec: FlagSpecs[string]): string {
  const letter = spec.letter === undefined ? '' : `-${spec.letter}, `;
  if (spec.type === 'value') return `${letter}--${name} ${spec.value}`;
  const { isOnByDefault = false, hasNoDefault = false } = spec;
  const negation = hasNoDefault ? '[no-]' : isOnByDefault ? 'no-' : '';
  return `${letter}--${negation}${name}`;
}

function paragraphs({ summary, description = [] }: DescribedCommand, width: number): string[] {
  const wrapped = [summary, ...description].map((paragraph) => wrapText(paragraph, width));
  return wrapped.flatMap((lines, at) => (at === 0 ? lines : [''].concat(lines)));
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

function commandTable(commands: readonly DescribedCommand[], width: number): readonly string[] {
  const rows = commands.map((command): readonly [string, string] => [
    [...command.path.slice(1), ...command.args.map(argumentText)].join(' '),
    command.summary,
  ]);
  return table(rows, width);
}

function flagTable(flags: FlagSpecs, width: number): readonly string[] {
  const rows = Object.entries(flags).map(([name, spec]): readonly [string, string] => [
    flagText(name, spec),
    spec.summary,
  ]);
  return table(rows, width);
}

/** Widest first column; the text of a wider one begins below it. */
const widestTerm = 28;

/** Returns rows of two columns; the second one is wrapped. */
function table(rows: readonly (readonly [string, string])[], width: number): readonly string[] {
  const widths = rows.map(([term]) => cellWidth(term)).filter((each) => each <= widestTerm);
  const first = Math.max(0, ...widths) + 4;
  return rows.flatMap(([term, meaning]) => {
    const lines = wrapText(meaning, Math.max(20, width - first));
    const isWide = cellWidth(term) + 4 > first;
    const head = isWide ? [`  ${term}`] : [`${padCells(`  ${term}`, first)}${lines[0] ?? ''}`];
    const rest = isWide ? lines : lines.slice(1);
    return [...head, ...rest.map((line) => `${' '.repeat(first)}${line}`)];
  });
}

/** Wraps ASCII text between words into lines of at most `width` characters. */
function wrapText(paragraph: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of paragraph.split(' ')) {
    if (line === '') line = word;
    else if (line.length + 1 + word.length <= width) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
