/** The commands of deployments. */
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';

export const deploymentShellCommands: readonly CommandSpec[] = [
  serviceCommand({
    path: ['deployments', 'list'],
    summary: 'List deployments.',
    description: [
      'On a terminal the columns are aligned; into a pipe each deployment is a line of values between tabs, without a header: name, state, services, time of creation, id.',
    ],
    args: [],
    flags: {},
    prints: true,
    examples: [
      { line: 'hostdeck deployments list', summary: 'all deployments' },
      {
        line: "hostdeck deployments list --json | jq -r '.[].name'",
        summary: 'names only, of services that tell them',
      },
    ],
    run: async () => (await import('./list.ts')).printDeployments,
  }),
  serviceCommand({
    path: ['deployments', 'get'],
    summary: 'Show a deployment.',
    args: [
      {
        name: 'NAME',
        summary: 'name or id, or a unique beginning of one',
        isRequired: true,
        completes: 'deployment',
      },
    ],
    flags: {},
    prints: true,
    examples: [
      { line: 'hostdeck deployments get shop', summary: 'state, services, price and times' },
      { line: 'hostdeck deployments get shop --json --fields state', summary: 'one field' },
    ],
    run: async () => (await import('./get.ts')).printDeployment,
  }),
];
