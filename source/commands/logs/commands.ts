/** The command of logs. */
import { consoleFlags } from '../console/commands.ts';
import type { CommandSpec } from '../table/command-spec.ts';

export const logShellCommands: readonly CommandSpec[] = [
  {
    kind: 'program',
    path: ['logs'],
    summary: 'Print or follow the log of a deployment.',
    description: [
      'Into a pipe, hostdeck writes the last lines, then live lines. On a terminal it opens the console with this log.',
    ],
    args: [
      {
        name: 'DEPLOYMENT',
        summary: 'id, unique prefix of an id, or name',
        isRequired: true,
        completes: 'deployment',
      },
    ],
    flags: {
      service: {
        type: 'value',
        value: 'NAME',
        completes: 'service-name',
        summary: 'only lines of this service',
      },
      search: { type: 'value', value: 'TEXT', summary: 'only lines that contain the text' },
      limit: { type: 'value', value: 'N', summary: 'number of earlier lines (100)' },
      follow: { type: 'switch', isOnByDefault: true, summary: 'exit after the earlier lines' },
      'history-timeout': {
        type: 'value',
        value: 'SECONDS',
        summary: 'longest wait of live lines for the lines before them (1)',
      },
      backfill: { type: 'switch', summary: 'also write earlier lines that come after that' },
      json: { type: 'switch', summary: 'write each line as a JSON message of the log stream' },
      ...consoleFlags,
    },
    examples: [
      { line: 'hostdeck logs shop | grep ERROR', summary: 'follow the errors of shop' },
      { line: 'hostdeck logs shop --no-follow --limit 1000', summary: 'the last 1000 lines' },
    ],
  },
];
