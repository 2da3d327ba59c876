import { parse, type Usage, usage, wholeNumber } from './flags.ts';
import { type HostInvocation, readHost } from './host-arguments.ts';
import { bytesRange, linesRange, parseLogMemory } from './log-memory.ts';
import { parseRestartDelay } from './restart-delay.ts';
import type { LogMemory } from '../store/log/feed/logs.ts';
import type { RestartDelay } from '../store/restarts/state.ts';

/** What the command line asks for, checked. */
export type Invocation =
  | {
      readonly kind: 'console';
      readonly baseUrl: string | undefined;
      readonly ascii: boolean;
      readonly restartDelay?: RestartDelay | undefined;
      readonly logMemory?: LogMemory | undefined;
    }
  | {
      readonly kind: 'logs';
      readonly baseUrl: string | undefined;
      readonly ascii: boolean;
      readonly restartDelay?: RestartDelay | undefined;
      readonly logMemory?: LogMemory | undefined;
      readonly deployment: string;
      readonly service: string | undefined;
      readonly search: string | undefined;
      readonly limit: number;
      readonly follow: boolean;
      readonly json: boolean;
    }
  | HostInvocation
  | Usage;

const consoleHelp = `
  Usage
    $ hostdeck [--base-url URL] [--restart-delay SECONDS|off]
    $ hostdeck logs DEPLOYMENT [--service NAME] [--search TEXT] [--limit N] [--no-follow] [--json]
    $ hostdeck host [--port N] [--listen ADDRESS[:PORT]] [--data DIR]
    $ hostdeck host token --wallet ADDRESS
    $ hostdeck host wallet ADDRESS [--balance AMOUNT]

  Without a base URL the console starts a host on this machine and joins it.

  Options
    --base-url URL  the service to talk to (or HOSTDECK_BASE_URL)
    --ascii         draw with ASCII characters only
    --restart-delay SECONDS|off
                    from the last change of a file to the restart (5), or only by hand
    --log-lines N   lines of a log kept in memory (2000000)
    --log-bytes N   bytes for them, as 512M (256M)

  Environment
    HOSTDECK_TOKEN, HOSTDECK_TOKEN_FILE, HOSTDECK_TOKEN_COMMAND  the access token, or where it is
    HOSTDECK_PROFILE      name shown in row 1; one that starts with prod is drawn as production
    HOSTDECK_WALLET       your wallet address
    HOSTDECK_RESTART_DELAY  as --restart-delay
    HOSTDECK_LOG_LINES, HOSTDECK_LOG_BYTES  as --log-lines and --log-bytes
    HOSTDECK_STREAM_AUTH  header (default), subprotocol or query
`;

const logsHelp = `
  Usage
    $ hostdeck logs DEPLOYMENT [options]

  DEPLOYMENT is an id, the unique start of one, or a name. Into a pipe, the last lines are written,
  then live ones. On a terminal the console opens on them.

  Options
    --service NAME  only lines of this service
    --search TEXT   only lines that contain the text
    --limit N       how many earlier lines (100)
    --no-follow     end after the earlier lines
    --json          one message of the log stream a line
    --base-url URL  the service to talk to (or HOSTDECK_BASE_URL)
    --ascii         draw with ASCII characters only
    --restart-delay SECONDS|off
                    from the last change of a file to the restart (5), or only by hand
    --log-lines N   lines of a log kept in memory (2000000)
    --log-bytes N   bytes for them, as 512M (256M)
`;

const serviceFlags = {
  baseUrl: { type: 'string' },
  ascii: { type: 'boolean', default: false },
  restartDelay: { type: 'string' },
  logLines: { type: 'string' },
  logBytes: { type: 'string' },
} as const;

const valueFlags = new Set(['--base-url', '--restart-delay', '--log-lines', '--log-bytes']);

const wrongDelay = '--restart-delay takes off, or seconds from 0 to 86400.';

const wrongMemory = {
  lines: `--log-lines takes a number ${linesRange}.`,
  bytes: `--log-bytes takes a size ${bytesRange}.`,
};

/**
 * Reads the command line. Help and version are answered by meow itself, which ends the process.
 */
export function readArguments(argv: readonly string[]): Invocation {
  // A token on the command line would show in the process list of everybody.
  if (argv.some((argument) => /^--(access-)?token(=|$)/.test(argument))) {
    return usage('A token is never given as a flag. Set HOSTDECK_TOKEN.');
  }
  const at = commandIndex(argv);
  const rest = argv.filter((_, index) => index !== at);
  if (argv[at] === 'logs') return readLogs(rest);
  if (argv[at] === 'host') return readHost(rest);
  const { input, flags, unknown } = parse(consoleHelp, argv, serviceFlags);
  if (unknown !== undefined) return unknown;
  if (input[0] !== undefined) return usage(`There is no command ${input[0]}.`);
  const delay = delayOf(flags);
  if (!delay.ok) return usage(wrongDelay);
  const memory = parseLogMemory({ lines: flags.logLines, bytes: flags.logBytes });
  if (!memory.ok) return usage(wrongMemory[memory.wrong]);
  return {
    kind: 'console',
    baseUrl: flags.baseUrl,
    ascii: flags.ascii,
    restartDelay: delay.value,
    logMemory: isGiven(flags) ? memory.value : undefined,
  };
}

/** Where the command stands: the first word that is no flag and no flag's value; -1 without one. */
function commandIndex(argv: readonly string[]): number {
  return argv.findIndex(
    (word, index) => !word.startsWith('-') && !valueFlags.has(argv[index - 1] ?? ''),
  );
}

/** The delay that is asked for, if any; not ok where it cannot be read. */
function delayOf(flags: { readonly restartDelay: string | undefined }) {
  if (flags.restartDelay === undefined) return { ok: true, value: undefined } as const;
  const value = parseRestartDelay(flags.restartDelay);
  return value === undefined ? ({ ok: false } as const) : ({ ok: true, value } as const);
}

function isGiven(flags: {
  readonly logLines: string | undefined;
  readonly logBytes: string | undefined;
}): boolean {
  return flags.logLines !== undefined || flags.logBytes !== undefined;
}

function readLogs(argv: readonly string[]): Invocation {
  const { input, flags, unknown } = parse(logsHelp, argv, {
    ...serviceFlags,
    service: { type: 'string' },
    search: { type: 'string' },
    limit: { type: 'string', default: '100' },
    follow: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
  });
  if (unknown !== undefined) return unknown;
  const [deployment, extra] = input;
  if (deployment === undefined || deployment === '')
    return usage('Which deployment? hostdeck logs DEPLOYMENT.');
  if (extra !== undefined) return usage(`One deployment at a time: ${extra} is one too many.`);
  const limit = wholeNumber(flags.limit, 1_000_000);
  if (limit === undefined) return usage('--limit takes a whole number from 0 to 1000000.');
  const delay = delayOf(flags);
  if (!delay.ok) return usage(wrongDelay);
  const memory = parseLogMemory({ lines: flags.logLines, bytes: flags.logBytes });
  if (!memory.ok) return usage(wrongMemory[memory.wrong]);
  return {
    kind: 'logs',
    baseUrl: flags.baseUrl,
    ascii: flags.ascii,
    restartDelay: delay.value,
    logMemory: isGiven(flags) ? memory.value : undefined,
    deployment,
    service: flags.service,
    search: flags.search,
    limit,
    follow: flags.follow,
    json: flags.json,
  };
}
