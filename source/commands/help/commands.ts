/** The commands about the program itself. */
import { type CommandSpec, localCommand } from '../table/command-spec.ts';

export const helpShellCommands: readonly CommandSpec[] = [
  localCommand({
    path: ['help'],
    summary: 'Show the help of a command.',
    args: [
      {
        name: 'COMMAND',
        summary: 'words of the command, such as deployments list',
        isRequired: false,
        isRepeated: true,
        completes: 'command',
      },
    ],
    flags: {},
    run: async () => (await import('./help.ts')).printHelp,
  }),
  localCommand({
    path: ['version'],
    summary: 'Show the version.',
    args: [],
    flags: {},
    run: async () => (await import('./help.ts')).printVersion,
  }),
];
