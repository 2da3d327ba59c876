/** The command of logs. */
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';
import { findConflict, logFlags, openedConsole } from './log-flags.ts';

export const logShellCommands: readonly CommandSpec[] = [
  serviceCommand({
    path: ['logs'],
    endsWithReader: true,
    summary: 'Print or follow the log of a deployment, or of several.',
    description: [
      'Into a pipe, hostdeck writes the last lines, then live lines, until the deployment is closed. With -n, it ends after the last lines; -f continues.',
      'On a terminal it opens the console with the log of one deployment, unless --plain or another flag that chooses the lines or their form is given. Lines that are printed on a terminal have their escape sequences made visible.',
      'Notes about gaps and the connection go to stderr; -q leaves them out. --json is -o json.',
      'If the service gives no lines back to --since, or refuses the newest ones, stderr says how far the log was read, and the exit code is 8.',
      'It ends within a second after the reader of a pipe has gone; other readers, with the next line.',
    ],
    args: [
      {
        name: 'NAME',
        summary: 'name or id of a deployment, or a unique beginning of one',
        isRequired: true,
        isRepeated: true,
        completes: 'deployment',
      },
    ],
    flags: logFlags,
    findConflict,
    opensConsole: ({ args, flags }, options) => openedConsole(args, flags, options),
    examples: [
      { line: 'hostdeck logs shop | grep ERROR', summary: 'follow the errors of shop' },
      { line: 'hostdeck logs shop -n 1000', summary: 'the last 1000 lines' },
      { line: 'hostdeck logs shop --since 30m --level error', summary: 'errors, also live ones' },
      {
        line: 'hostdeck logs shop --since yesterday --until today --grep pay',
        summary: 'lines of yesterday with pay',
      },
      {
        line: 'hostdeck logs shop -p -n 20',
        summary: 'the end of the run before the last restart',
      },
      { line: 'hostdeck logs shop ledger --plain', summary: 'both, each line with its deployment' },
      {
        line: 'hostdeck logs shop -n all -o json | jq -r .logLine',
        summary: 'the texts of the whole log',
      },
    ],
    run: async () => (await import('./print-logs.ts')).printLogs,
  }),
];
