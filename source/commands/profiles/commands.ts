/** The commands of profiles, which read and edit `config.yaml`. */
import { nameColours } from '../../config/config-file.ts';
import { readBaseUrl, streamAuths } from '../../config/environment.ts';
import { delayRange, parseRestartDelay } from '../../contract/restart-delay.ts';
import { type CommandSpec, localCommand } from '../table/command-spec.ts';
import type { ArgumentSpec } from '../table/described-command.ts';

const profileArgument: ArgumentSpec = {
  name: 'NAME',
  summary: 'name of the profile',
  isRequired: true,
  completes: 'profile',
};

export const profileShellCommands: readonly CommandSpec[] = [
  localCommand({
    path: ['profiles', 'list'],
    summary: 'List the profiles of config.yaml.',
    description: [
      'Into a pipe each profile is a line of values between tabs, without a header: name, URL, source of the token (file, command or stored), file of the token, wallet, read-only, default.',
    ],
    args: [],
    flags: {},
    prints: true,
    run: async () => (await import('./list.ts')).printProfiles,
  }),
  localCommand({
    path: ['profiles', 'add'],
    summary: 'Add a profile to config.yaml.',
    description: [
      'Creates the file if there is none, and keeps its comments. The file never holds the token itself. Without --token-file or --token-command, the console asks for the token.',
    ],
    args: [{ name: 'NAME', summary: 'name of the new profile', isRequired: true }],
    flags: {
      url: {
        type: 'value',
        value: 'URL',
        summary: 'base URL of the service',
        expected: 'an http or https URL without a user, a query or a fragment',
        parse: parseUrl,
      },
      'token-file': {
        type: 'value',
        value: 'FILE',
        completes: 'local-file',
        summary: 'file that holds the token, which only you may read (mode 0600)',
      },
      'token-command': {
        type: 'value',
        value: 'COMMAND',
        summary: 'shell command that prints the token',
      },
      wallet: { type: 'value', value: 'ADDRESS', summary: 'your wallet on this service' },
      'read-only': { type: 'switch', summary: 'send nothing that changes the service' },
      colour: {
        type: 'value',
        value: 'COLOUR',
        choices: nameColours,
        summary: `colour of the name in the console: ${nameColours.join(', ')}`,
      },
      'restart-delay': {
        type: 'value',
        value: 'SECONDS|off',
        summary: 'delay from the last file change to the automatic restart',
        expected: delayRange,
        parse: parseDelay,
      },
      'stream-auth': {
        type: 'value',
        value: 'MODE',
        choices: streamAuths,
        summary: `how the log stream sends the token: ${streamAuths.join(', ')}`,
      },
      default: { type: 'switch', summary: 'connect to it when nothing names a service' },
    },
    writes: true,
    examples: [
      {
        line: 'hostdeck profiles add prod --url https://api.example.com --token-file ~/prod.token --read-only',
        summary: 'a service to look at',
      },
    ],
    run: async () => (await import('./add.ts')).addProfileCommand,
  }),
  localCommand({
    path: ['profiles', 'use'],
    summary: 'Make a profile the default.',
    args: [{ ...profileArgument, summary: 'name of the profile; local: the host on this machine' }],
    flags: {},
    writes: true,
    run: async () => (await import('./use.ts')).useProfile,
  }),
  localCommand({
    path: ['profiles', 'test'],
    summary: 'Connect to a profile and say what works.',
    description: [
      'It lists the deployments and opens the log stream of one of them, and changes nothing. The exit code tells the cause of the first failure.',
    ],
    args: [profileArgument],
    flags: {},
    prints: true,
    run: async () => (await import('./test.ts')).testProfile,
  }),
  localCommand({
    path: ['profiles', 'remove'],
    summary: 'Remove a profile from config.yaml.',
    description: ['A token that the console stored for it is removed; its token file stays.'],
    args: [profileArgument],
    flags: {},
    writes: true,
    asks: true,
    run: async () => (await import('./remove.ts')).removeProfileCommand,
  }),
];

function parseUrl(text: string): string | undefined {
  const url = readBaseUrl(text);
  return url.ok ? url.value : undefined;
}

/** Returns the text itself, since the file holds it as it is written. */
function parseDelay(text: string): string | undefined {
  return parseRestartDelay(text) === undefined ? undefined : text;
}
