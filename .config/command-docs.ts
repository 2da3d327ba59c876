/** The page of commands, which is generated from their table. */
import { exitCodeMeanings } from '../source/commands/exit-codes.ts';
import { flagText, usageLineOf } from '../source/commands/table/command-help.ts';
import {
  commandLineOf,
  type DescribedCommand,
  type FlagSpecs,
} from '../source/commands/table/described-command.ts';
import { sharedFlagsOf, universalFlags } from '../source/commands/table/shared-flags.ts';

/** Returns docs/commands.md: every command with its words, flags and examples. */
export function commandsPage(commands: readonly DescribedCommand[]): string {
  return [
    '# Commands',
    '',
    '<!-- Written by `npm run docs` from the table of source/commands/table. -->',
    '',
    'On a terminal, lists are aligned tables. In a pipe, each record is a line of values between tabs,',
    'without a header; a tab, a line end or a backslash in a value is written as `\\t`, `\\n` or `\\\\`.',
    '`--json` prints whole records, `--fields` some of their fields. Errors go to stderr as',
    '`error: ...` with the next step below, and with `--json` as an object:',
    '`{"error": {"code", "message", "next", "status"}}`. A command with `--wait` or `--prove`',
    'prints another object for that after its first result; in a pipe each is one line.',
    '',
    'A name is the name of a deployment, its id, or a unique beginning of one. With `--yes`, or where',
    'there is no terminal to ask on, a command that writes needs the whole name or id.',
    '',
    '## Exit codes',
    '',
    '| Code | Meaning |',
    '|-|-|',
    ...exitCodeMeanings.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    '',
    ...commands.flatMap(commandSection),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

function commandSection(command: DescribedCommand): readonly string[] {
  const { summary, description = [], args, flags, examples = [] } = command;
  const words = args.map(({ name, summary: meaning }) => `| \`${name}\` | ${cell(meaning)} |`);
  const rows = [...words, ...flagRows(flags), ...flagRows(sharedFlagsOf(command))];
  return [
    `## ${commandLineOf(command)}`,
    '',
    `\`${usageLineOf(command)}\``,
    '',
    [summary, ...description].join('\n\n'),
    '',
    ...(rows.length === 0 ? [] : ['| Word or flag | Meaning |', '|-|-|', ...rows, '']),
    ...(examples.length === 0
      ? []
      : [
          '```',
          ...examples.flatMap(({ line, summary: meaning }) => [`# ${meaning}`, line]),
          '```',
          '',
        ]),
  ];
}

function flagRows(flags: FlagSpecs): readonly string[] {
  return Object.entries(flags)
    .filter(([name]) => !(name in universalFlags))
    .map(([name, spec]) => `| \`${cell(flagText(name, spec))}\` | ${cell(spec.summary)} |`);
}

/** Escapes the separator of columns. */
function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}
