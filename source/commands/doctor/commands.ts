/** The command that checks the machine and the service. */
import { type CommandSpec, localCommand } from '../table/command-spec.ts';
import { connectionFlags } from '../table/shared-flags.ts';

export const doctorShellCommands: readonly CommandSpec[] = [
  localCommand({
    path: ['doctor'],
    summary: 'Check this machine, the configuration and the service.',
    description: [
      'Prints a row for each check: ok, warn or fail, the finding, and what to do. It changes nothing, starts no host, and prints no token. It ends with 1 if a check fails.',
    ],
    args: [],
    flags: connectionFlags,
    prints: true,
    examples: [
      { line: 'hostdeck doctor --profile prod', summary: 'with a profile' },
      {
        line: `hostdeck doctor --json | jq -r '.[] | select(.state != "ok") | .finding'`,
        summary: 'what is not in order',
      },
    ],
    run: async () => (await import('./doctor.ts')).examine,
  }),
];
