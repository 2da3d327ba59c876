/** The commands of the host on this machine. */
import type { CommandSpec } from '../table/command-spec.ts';
import type { FlagSpecs } from '../table/described-command.ts';
import { hostFlags } from './flags.ts';

const dataFlag = {
  data: {
    type: 'value',
    value: 'DIR',
    completes: 'local-folder',
    summary: 'data folder ($XDG_DATA_HOME/hostdeck, else ~/.local/share/hostdeck)',
  },
} as const satisfies FlagSpecs;

const anyAddressFlag = {
  'any-address': { type: 'switch', summary: 'take any text as a wallet address, for tests' },
} as const satisfies FlagSpecs;

export const hostShellCommands: readonly CommandSpec[] = [
  {
    kind: 'program',
    path: ['host'],
    summary: 'Run a deployment hosting service on this machine.',
    description: [
      'It runs services as processes or as containers. When it runs as root, each deployment gets its own user id, and no service runs as root. It listens on 127.0.0.1 and stays in the foreground until it is stopped. A console without a base URL connects to the host of its data folder. GET /openapi.json describes the API.',
    ],
    args: [],
    flags: hostFlags,
    notes: [
      {
        title: 'Files, below the data folder',
        rows: [
          ['.hostdeck-data-folder', "marks the folder as a host's"],
          ['host.db', 'records and hashes of tokens (SQLite)'],
          ['logs.db', 'all log lines (SQLite)'],
          ['deployments/', 'files of the services, staged and running'],
          ['local-token', "token of this user's own wallet, for consoles on this machine"],
          ['backup-in-progress/', 'parts of a backup that is being written'],
          [
            'host.sock',
            'control socket for consoles and commands of this user (below the temporary folder where the path would be too long)',
          ],
          ['host.log', 'output of a host that a console started'],
          ['start-failure.json', 'reason why such a host did not start'],
          ['damaged-TIME/', 'damaged records or logs that a start has moved aside'],
        ],
      },
      {
        title: 'Signals',
        rows: [
          [
            'SIGTERM, SIGINT, SIGHUP',
            'stop all services, by force after 10 s, then exit. Deployments start again with the host, also after a crash',
          ],
        ],
      },
      {
        title: 'Exit codes',
        rows: [
          ['0', 'ended by a signal, left by the last console (--leased), or the command succeeded'],
          ['1', 'the host did not start, or the command failed; the reason is on stderr'],
          ['2', 'wrong usage'],
        ],
      },
    ],
    examples: [
      { line: 'hostdeck host --port 7420', summary: 'on loopback' },
      {
        line: 'hostdeck host --listen 192.0.2.1 --tls-cert cert.pem --tls-key key.pem',
        summary: 'for other machines',
      },
    ],
  },
  {
    kind: 'program',
    path: ['host', 'token'],
    summary: 'Make a token of a wallet and print it.',
    args: [],
    flags: {
      wallet: { type: 'value', value: 'ADDRESS', summary: 'wallet of the token' },
      ...dataFlag,
      ...anyAddressFlag,
    },
  },
  {
    kind: 'program',
    path: ['host', 'wallet'],
    summary: 'Show or set the balance of a wallet.',
    args: [{ name: 'ADDRESS', summary: 'address of the wallet', isRequired: true }],
    flags: {
      balance: {
        type: 'value',
        value: 'AMOUNT',
        summary: 'set the balance; new wallets have 1000',
      },
      ...dataFlag,
      ...anyAddressFlag,
    },
  },
  {
    kind: 'program',
    path: ['host', 'backup'],
    summary: 'Back up a host, also while it runs.',
    args: [
      { name: 'FILE', summary: 'archive to write', isRequired: true, completes: 'local-file' },
    ],
    flags: {
      volumes: {
        type: 'switch',
        summary:
          'back up volumes as well; they are as after a crash, since services write to them meanwhile',
      },
      ...dataFlag,
    },
  },
  {
    kind: 'program',
    path: ['host', 'restore'],
    summary: 'Restore a backup to an empty folder.',
    args: [{ name: 'FILE', summary: 'archive to read', isRequired: true, completes: 'local-file' }],
    flags: dataFlag,
  },
];
