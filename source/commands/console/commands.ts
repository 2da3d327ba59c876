/** The console, which the program is without a command. */
import { bytesRange, linesRange, parseLogMemory } from '../../config/log-memory.ts';
import { parseRestartDelay } from '../../contract/restart-delay.ts';
import type { CommandSpec } from '../table/command-spec.ts';
import type { FlagSpecs } from '../table/described-command.ts';
import { connectionFlags } from '../table/shared-flags.ts';

/** Flags of everything that opens the console, apart from those that choose the service. */
export const consoleFlags = {
  ascii: { type: 'switch', summary: 'draw with ASCII characters only' },
  unicode: { type: 'switch', summary: 'draw with Unicode characters whatever the locale says' },
  'screen-reader': {
    type: 'switch',
    summary: 'write lines for a screen reader instead of drawing',
  },
  'restart-delay': {
    type: 'value',
    value: 'SECONDS|off',
    summary: 'delay from the last file change to the automatic restart (5); off: never',
    expected: 'off, or seconds from 0 to 86400',
    parse: parseRestartDelay,
  },
  'log-lines': {
    type: 'value',
    value: 'N',
    summary: 'lines of a log kept in memory (2000000)',
    expected: `a number ${linesRange}`,
    parse: (text: string) => memoryOf({ lines: text, bytes: undefined })?.maxLines,
  },
  'log-bytes': {
    type: 'value',
    value: 'SIZE',
    summary: 'memory for these lines, like 512M (256M)',
    expected: `a size ${bytesRange}`,
    parse: (text: string) => memoryOf({ lines: undefined, bytes: text })?.maxBytes,
  },
} as const satisfies FlagSpecs;

function memoryOf(texts: Parameters<typeof parseLogMemory>[0]) {
  const read = parseLogMemory(texts);
  return read.ok ? read.value : undefined;
}

export const consoleShellCommands: readonly CommandSpec[] = [
  {
    kind: 'program',
    path: [],
    summary: 'Open the console of a deployment hosting service, or run one of the commands below.',
    description: [
      'Without a profile or a base URL, hostdeck starts a host on this machine and connects to it.',
    ],
    args: [],
    flags: { ...connectionFlags, ...consoleFlags },
  },
  {
    kind: 'program',
    path: ['open'],
    summary: 'Show an incident file in the console.',
    description: [
      'The panes show what hostdeck incident wrote: the deployment with its details, the log with search, filters and histogram, and the files, with a .diff for each edited one. :history has edits, restarts and what the file lacks. Nothing is sent anywhere, and nothing can be changed.',
    ],
    args: [{ name: 'FILE', summary: 'incident file', isRequired: true, completes: 'local-file' }],
    flags: {
      ascii: consoleFlags.ascii,
      unicode: consoleFlags.unicode,
      'screen-reader': consoleFlags['screen-reader'],
    },
    examples: [{ line: 'hostdeck open shop.tar.gz', summary: 'the file of somebody else' }],
  },
];
