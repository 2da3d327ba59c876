/** The command that prints completion scripts. */
import { type CommandSpec, localCommand } from '../table/command-spec.ts';

export const completionShellCommands: readonly CommandSpec[] = [
  localCommand({
    path: ['completion'],
    summary: 'Print the script that makes a shell complete hostdeck.',
    description: [
      'The shell completes commands, flags and their values, profiles, deployments, services, paths of files and grants. It asks the service for names, waits at most two seconds, and stores nothing. It never runs the tokenCommand of a profile.',
    ],
    args: [
      {
        name: 'SHELL',
        summary: 'bash, zsh or fish',
        isRequired: true,
        choices: ['bash', 'zsh', 'fish'],
      },
    ],
    flags: {},
    examples: [
      { line: 'source <(hostdeck completion bash)', summary: 'in ~/.bashrc' },
      { line: 'source <(hostdeck completion zsh)', summary: 'in ~/.zshrc, behind compinit' },
      {
        line: 'hostdeck completion fish > ~/.config/fish/completions/hostdeck.fish',
        summary: 'once',
      },
    ],
    run: async () => (await import('./print-script.ts')).printCompletionScript,
  }),
];
