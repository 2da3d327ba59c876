import { parse, type Usage, usage, wholeNumber } from './flags.ts';
import { type HostInvocation, readHost } from './host-arguments.ts';
import { bytesRange, linesRange, parseLogMemory } from './log-memory.ts';
import { parseRestartDelay, parseSeconds } from '../contract/restart-delay.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import type { ServiceFlags } from './service-target.ts';
import type { RestartDelay } from '../store/restarts/state.ts';

/** The flags of every command that connects to a service. */
interface ConnectingFlags extends ServiceFlags {
  readonly ascii: boolean;
  /** True to draw more than ASCII whatever the locale says. */
  readonly unicode: boolean;
  /** True to write lines for a screen reader instead of drawing. */
  readonly screenReader: boolean;
  readonly restartDelay?: RestartDelay | undefined;
  readonly logMemory?: LogMemory | undefined;
}

/** A validated command line. */
export type Invocation =
  | ({ readonly kind: 'console' } & ConnectingFlags)
  | ({
      readonly kind: 'logs';
      readonly deployment: string;
      readonly service: string | undefined;
      readonly search: string | undefined;
      readonly limit: number;
      readonly follow: boolean;
      /** Milliseconds. */
      readonly historyTimeout: number;
      readonly backfill: boolean;
      readonly json: boolean;
    } & ConnectingFlags)
  | HostInvocation
  | Usage;

const serviceFlags = {
  profile: { type: 'string' },
  baseUrl: { type: 'string' },
  ascii: { type: 'boolean', default: false },
  unicode: { type: 'boolean', default: false },
  screenReader: { type: 'boolean', default: false },
  restartDelay: { type: 'string' },
  logLines: { type: 'string' },
  logBytes: { type: 'string' },
} as const;

type Switch = 'ascii' | 'unicode' | 'screenReader';

/** The flags whose value is the next word: `--base-url`, `--log-lines`, ... */
const valueFlags = new Set(
  Object.entries(serviceFlags)
    .filter(([, { type }]) => type === 'string')
    .map(([name]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`),
);

const wrongDelay = '--restart-delay must be off, or seconds from 0 to 86400.';

const wrongMemory = {
  lines: `--log-lines must be a number ${linesRange}.`,
  bytes: `--log-bytes must be a size ${bytesRange}.`,
};

/** Reads the command line of the console, of `hostdeck logs` and of `hostdeck host`. */
export function readArguments(argv: readonly string[]): Invocation {
  // Every user of this machine can read the command line in the process list.
  if (argv.some((argument) => /^--(access-)?token(=|$)/.test(argument))) {
    return usage('Tokens are not accepted as flags. Set HOSTDECK_TOKEN.');
  }
  const at = commandIndex(argv);
  const rest = argv.filter((_, index) => index !== at);
  if (argv[at] === 'logs') return readLogs(rest);
  if (argv[at] === 'host') return readHost(rest);
  const { input, flags, unknown } = parse(argv, serviceFlags);
  if (unknown !== undefined) return unknown;
  if (input[0] !== undefined) return usage(`Unknown command ${input[0]}.`);
  const connecting = connectingFlags(flags);
  return 'kind' in connecting ? connecting : { kind: 'console', ...connecting };
}

/** Returns the validated flags that every command with a service has, or wrong usage. */
function connectingFlags(
  flags: {
    readonly [Name in Exclude<keyof typeof serviceFlags, Switch>]: string | undefined;
  } & { readonly [Name in Switch]: boolean },
): ConnectingFlags | Usage {
  const { profile, baseUrl, ascii, unicode, screenReader } = flags;
  if (ascii && unicode) return usage('--ascii and --unicode exclude each other. Give one of them.');
  if (profile !== undefined && baseUrl !== undefined) {
    return usage('--profile and --base-url name two services. Give one of them.');
  }
  const delay = delayOf(flags);
  if (!delay.ok) return usage(wrongDelay);
  const memory = parseLogMemory({ lines: flags.logLines, bytes: flags.logBytes });
  if (!memory.ok) return usage(wrongMemory[memory.wrong]);
  return {
    profile,
    baseUrl,
    ascii,
    unicode,
    screenReader,
    restartDelay: delay.value,
    logMemory: isGiven(flags) ? memory.value : undefined,
  };
}

/** Returns the index of the first word that is neither a flag nor a flag's value; -1 without one. */
function commandIndex(argv: readonly string[]): number {
  return argv.findIndex(
    (word, index) => !word.startsWith('-') && !valueFlags.has(argv[index - 1] ?? ''),
  );
}

/** Returns the value of the flag, undefined without it; not ok where it can't be parsed. */
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
  const { input, flags, unknown } = parse(argv, {
    ...serviceFlags,
    service: { type: 'string' },
    search: { type: 'string' },
    limit: { type: 'string', default: '100' },
    follow: { type: 'boolean', default: true },
    historyTimeout: { type: 'string', default: '1' },
    backfill: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  if (unknown !== undefined) return unknown;
  const [deployment, extra] = input;
  if (deployment === undefined || deployment === '')
    return usage('hostdeck logs needs a deployment.');
  if (extra !== undefined)
    return usage(`hostdeck logs takes one deployment; ${extra} is too many.`);
  const limit = wholeNumber(flags.limit, 1_000_000);
  if (limit === undefined) return usage('--limit must be a whole number from 0 to 1000000.');
  const historyTimeout = parseSeconds(flags.historyTimeout);
  if (historyTimeout === undefined)
    return usage('--history-timeout must be seconds from 0 to 86400.');
  const connecting = connectingFlags(flags);
  if ('kind' in connecting) return connecting;
  return {
    kind: 'logs',
    ...connecting,
    deployment,
    service: flags.service,
    search: flags.search,
    limit,
    follow: flags.follow,
    historyTimeout,
    backfill: flags.backfill,
    json: flags.json,
  };
}
