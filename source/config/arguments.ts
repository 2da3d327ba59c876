import { parse, type Usage, usage } from './flags.ts';
import { type HostInvocation, readHost } from './host-arguments.ts';
import { bytesRange, linesRange, parseLogMemory } from './log-memory.ts';
import { parseRestartDelay } from '../contract/restart-delay.ts';
import type { LogMemory } from '../store/log/feed/log-source.ts';
import type { ServiceFlags } from './service-target.ts';
import type { RestartDelay } from '../store/restarts/state.ts';

/** The console, with its flags. */
export interface ConsoleInvocation extends ServiceFlags {
  readonly kind: 'console';
  readonly ascii: boolean;
  /** True to draw more than ASCII whatever the locale says. */
  readonly unicode: boolean;
  /** True to write lines for a screen reader instead of drawing. */
  readonly screenReader: boolean;
  readonly restartDelay?: RestartDelay | undefined;
  readonly logMemory?: LogMemory | undefined;
  /** Name or id of the deployment to open full screen. */
  readonly open?: string | undefined;
  /** Incident file to show instead of a service. */
  readonly incident?: string | undefined;
}

/** A validated command line. */
export type Invocation = ConsoleInvocation | HostInvocation | Usage;

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

/** Reads the command line of the console and of `hostdeck host`. */
export function readArguments(argv: readonly string[]): Invocation {
  // Every user of this machine can read the command line in the process list.
  if (argv.some((argument) => /^--(access-)?token(=|$)/.test(argument))) {
    return usage('Tokens are not accepted as flags. Set HOSTDECK_TOKEN.');
  }
  const at = commandIndex(argv);
  const rest = argv.filter((_, index) => index !== at);
  if (argv[at] === 'host') return readHost(rest);
  if (argv[at] === 'open') return readOpen(rest);
  const { input, flags, unknown } = parse(argv, serviceFlags);
  if (unknown !== undefined) return unknown;
  if (input[0] !== undefined) return usage(`Unknown command ${input[0]}.`);
  return consoleOf(flags);
}

/** Reads the command line of `hostdeck open`. */
function readOpen(words: readonly string[]): ConsoleInvocation | Usage {
  const { ascii, unicode, screenReader } = serviceFlags;
  const { input, flags, unknown } = parse(words, { ascii, unicode, screenReader });
  if (unknown !== undefined) return unknown;
  const [incident, extra] = input;
  if (incident === undefined) return usage('FILE is missing.');
  if (extra !== undefined) return usage(`One file is opened at a time; ${extra} is another one.`);
  if (flags.ascii && flags.unicode) return usage(bothScripts);
  return { kind: 'console', profile: undefined, baseUrl: undefined, ...flags, incident };
}

const bothScripts = '--ascii and --unicode exclude each other. Give one of them.';

/** Returns the console with validated flags, or wrong usage. */
function consoleOf(
  flags: {
    readonly [Name in Exclude<keyof typeof serviceFlags, Switch>]: string | undefined;
  } & { readonly [Name in Switch]: boolean },
): ConsoleInvocation | Usage {
  const { profile, baseUrl, ascii, unicode, screenReader } = flags;
  if (ascii && unicode) return usage(bothScripts);
  if (profile !== undefined && baseUrl !== undefined) {
    return usage('--profile and --base-url name two services. Give one of them.');
  }
  const delay = delayOf(flags);
  if (!delay.ok) return usage(wrongDelay);
  const memory = parseLogMemory({ lines: flags.logLines, bytes: flags.logBytes });
  if (!memory.ok) return usage(wrongMemory[memory.wrong]);
  return {
    kind: 'console',
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
