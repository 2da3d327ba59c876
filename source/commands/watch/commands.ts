/** The command that runs alert rules without a screen. */
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';
import type { FlagSpecs } from '../table/described-command.ts';

const watchFlags = {
  once: {
    type: 'switch',
    summary: 'look at the lists once and end: with 10 where something needs attention, else with 0',
  },
} as const satisfies FlagSpecs;

export const watchShellCommands: readonly CommandSpec[] = [
  serviceCommand({
    path: ['watch'],
    endsWithReader: true,
    summary: 'Run the alert rules, and print a line for each alert.',
    description: [
      'The rules are those of config.yaml (alerts). Without any, crashes, failed deployments, low disk space on a hostdeck host and grants that end within a day are reported. With names, only rules about these deployments run.',
      'Each episode of a condition is reported once, also by a watch that was restarted within an hour. On a terminal the bell rings, or the desktop is notified, or a command of yours runs, as the rule says. The watch continues while the service does not answer, and ends when the token is rejected.',
      '--once leaves out rules on log lines, waits for no time (for), runs no command, and does not know how fast grants are spent. It prints nothing with -q. --json prints an object a line.',
    ],
    args: [
      {
        name: 'NAME',
        summary: 'name or id of a deployment, or a unique beginning of one',
        isRequired: false,
        isRepeated: true,
        completes: 'deployment',
      },
    ],
    flags: watchFlags,
    examples: [
      { line: 'hostdeck watch', summary: 'report what needs attention, until ^C' },
      { line: 'hostdeck watch shop --json', summary: 'alerts about shop, for a program' },
      {
        line: 'hostdeck watch --once -q || echo look at hostdeck',
        summary: 'one look, for cron',
      },
    ],
    needsAlerts: true,
    run: async () => (await import('./watch.ts')).watchCommand,
  }),
];
