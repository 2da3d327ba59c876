/** The command about the connection. */
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';

export const whoamiShellCommands: readonly CommandSpec[] = [
  serviceCommand({
    path: ['whoami'],
    summary: 'Show the service, the profile and the wallet, and try the token.',
    args: [],
    flags: {},
    prints: true,
    examples: [{ line: 'hostdeck whoami --json | jq -r .wallet', summary: 'your wallet address' }],
    run: async () => (await import('./whoami.ts')).printIdentity,
  }),
];
