/** The commands of deployments. */
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';
import type { ArgumentSpec, FlagSpecs } from '../table/described-command.ts';
import { waitedStates } from './deployment-goal.ts';
import { autoRestoreFlag, proofDescription, proveFlag } from './prove-flag.ts';
import { timeoutFlag } from './timeout-flag.ts';

const nameArgument: ArgumentSpec = {
  name: 'NAME',
  summary: 'name or id, or a unique beginning of one',
  isRequired: true,
  completes: 'deployment',
};

const namesArgument: ArgumentSpec = { ...nameArgument, isRepeated: true };

const waitFlags = {
  wait: {
    type: 'switch',
    summary: 'wait until it is active or has failed, and print the last lines of its log',
  },
  ...timeoutFlag,
} as const satisfies FlagSpecs;

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
        summary: 'names, where the service has them',
      },
    ],
    run: async () => (await import('./list.ts')).printDeployments,
  }),
  serviceCommand({
    path: ['deployments', 'get'],
    summary: 'Show a deployment.',
    args: [nameArgument],
    flags: {},
    prints: true,
    examples: [
      { line: 'hostdeck deployments get shop', summary: 'state, services, price and times' },
      { line: 'hostdeck deployments get shop --json --fields state', summary: 'one field' },
    ],
    run: async () => (await import('./get.ts')).printDeployment,
  }),
  serviceCommand({
    path: ['deployments', 'create'],
    summary: 'Create a deployment from a definition.',
    description: [
      'The definition is checked first; mistakes are named with their line and column, and nothing is sent. The services and the price are shown before the question.',
    ],
    args: [],
    flags: {
      file: {
        type: 'value',
        value: 'FILE',
        letter: 'f',
        completes: 'local-file',
        summary: 'file with the definition; -: stdin',
      },
      check: {
        type: 'switch',
        isOnByDefault: true,
        summary: 'send the definition even where it seems to have mistakes',
      },
      ...waitFlags,
    },
    writes: true,
    startsServices: true,
    asks: true,
    prints: true,
    examples: [
      { line: 'hostdeck deployments create -f shop.yaml --wait', summary: 'ask, create and wait' },
      {
        line: 'hostdeck deployments create -f - --yes -q < shop.yaml',
        summary: 'print the id alone',
      },
    ],
    run: async () => (await import('./create.ts')).createDeployment,
  }),
  serviceCommand({
    path: ['deployments', 'close'],
    summary: 'Close deployments for good.',
    args: [namesArgument],
    flags: {},
    writes: true,
    asks: true,
    prints: true,
    examples: [
      { line: 'hostdeck deployments close shop', summary: 'asks for the name' },
      { line: 'hostdeck deployments close shop ledger --yes', summary: 'does not ask' },
    ],
    run: async () => (await import('./close.ts')).closeDeployments,
  }),
  serviceCommand({
    path: ['deployments', 'restart'],
    summary: 'Restart deployments, which applies the changes of their files.',
    description: proofDescription,
    args: [namesArgument],
    flags: { ...proveFlag, ...autoRestoreFlag, ...waitFlags },
    writes: true,
    startsServices: true,
    asks: true,
    prints: true,
    examples: [
      { line: 'hostdeck deployments restart shop --wait', summary: 'until it is active again' },
      {
        line: 'hostdeck deployments restart shop --prove',
        summary: 'and compare its log with earlier starts',
      },
    ],
    run: async () => (await import('./restart.ts')).restartDeployments,
  }),
  serviceCommand({
    path: ['deployments', 'wait'],
    summary: 'Wait until a deployment is active or has failed.',
    description: [
      'Prints the last lines of the log. Ends with 0 when the deployment is in the wanted state, with 1 when it stays in another one, and with 8 when the time is over.',
    ],
    args: [nameArgument],
    flags: {
      for: {
        type: 'value',
        value: 'STATE',
        choices: waitedStates,
        summary: 'state to wait for: active (default), failed or closed',
      },
      ...timeoutFlag,
    },
    examples: [
      { line: 'hostdeck deployments wait shop --timeout 90s', summary: 'until it is active' },
      { line: 'hostdeck deployments wait shop --for closed', summary: 'until it is closed' },
    ],
    run: async () => (await import('./wait.ts')).waitCommand,
  }),
];
