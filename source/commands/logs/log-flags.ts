/** The flags of logs, and the way in which they work together. */
import { parseSeconds } from '../../contract/restart-delay.ts';
import { isMomentForm } from '../../store/log/reader/moment.ts';
import { consoleFlags } from '../console/commands.ts';
import type { FlagValues, OpenedConsole } from '../table/command-spec.ts';
import type { FlagSpecs } from '../table/described-command.ts';
import type { CommonOptions } from '../table/shared-flags.ts';

const expectedTime = 'a time like 30m, 12:01, yesterday 14:00 or 2026-11-20T12:01Z';

/** Most earlier lines that can be counted off. */
const mostLines = 1_000_000;

export const logForms = ['text', 'json', 'logfmt', 'raw'] as const;
export type LogForm = (typeof logForms)[number];

export const timestampForms = ['none', 'local', 'utc', 'relative'] as const;
export type TimestampForm = (typeof timestampForms)[number];

/** Flags that choose the lines or their form. */
const printingFlags = {
  follow: {
    type: 'switch',
    letter: 'f',
    hasNoDefault: true,
    summary: 'go on with live lines (on, unless -n is given), or end after the earlier ones',
  },
  limit: {
    type: 'value',
    letter: 'n',
    value: 'N|all',
    summary:
      'number of earlier lines (100; all with --since or --previous), without live ones unless -f is given',
    expected: `a number of lines from 0 to ${mostLines}, or all`,
    parse: parseLimit,
  },
  since: {
    type: 'value',
    value: 'TIME',
    summary:
      'only lines from this time on: 30m (before now), 12:01, yesterday 14:00, 2026-11-20T12:01Z',
    expected: expectedTime,
    parse: parseTime,
  },
  until: {
    type: 'value',
    value: 'TIME',
    summary:
      'only lines before this time, without live ones; a time of day is the first one after --since',
    expected: expectedTime,
    parse: parseTime,
  },
  previous: {
    type: 'switch',
    letter: 'p',
    summary: 'only lines of the run before the current one, without live ones',
  },
  grep: {
    type: 'value',
    value: 'REGEX',
    isRepeated: true,
    summary: 'only lines that match one of these; only an upper-case letter makes case matter',
    expected: 'a regular expression',
    parse: parseExpression,
  },
  'invert-match': {
    type: 'switch',
    letter: 'v',
    summary: 'only lines that match no --grep',
  },
  level: {
    type: 'value',
    value: 'LEVEL',
    choices: ['error', 'warn'],
    summary: 'only errors, or warnings and errors, as far as their text shows it: error or warn',
  },
  service: {
    type: 'value',
    value: 'NAME',
    completes: 'service-name',
    isRepeated: true,
    summary: 'only lines of this service, or of these',
  },
  stream: {
    type: 'value',
    value: 'STREAM',
    isRepeated: true,
    summary: 'only lines of this output stream: stdout, stderr, or another word of the service',
    expected: 'the name of a stream',
    parse: (text: string) => (text === '' ? undefined : text.toLowerCase()),
  },
  search: {
    type: 'value',
    value: 'TEXT',
    summary: 'only lines that contain the text; the service searches them',
  },
  output: {
    type: 'value',
    letter: 'o',
    value: 'FORM',
    choices: logForms,
    summary: 'text (default), json: messages of the log stream, logfmt, or raw: the text alone',
  },
  timestamps: {
    type: 'value',
    value: 'FORM',
    choices: timestampForms,
    summary: 'times in text, logfmt and raw: none, local, utc or relative; by default as sent',
  },
  color: {
    type: 'value',
    value: 'WHEN',
    choices: ['auto', 'always', 'never'],
    summary: 'colours in text: auto (on a terminal), always or never',
  },
  'history-timeout': {
    type: 'value',
    value: 'SECONDS',
    summary:
      'longest time that live lines wait for earlier ones (1; with --search, as long as it takes)',
    expected: 'seconds from 0 to 86400',
    parse: parseSeconds,
  },
  backfill: { type: 'switch', summary: 'also write earlier lines that arrive later than that' },
  plain: { type: 'switch', summary: 'print on a terminal too, instead of opening the console' },
} as const satisfies FlagSpecs;

export const logFlags = { ...printingFlags, ...consoleFlags } as const satisfies FlagSpecs;

export type LogFlags = FlagValues<typeof logFlags>;

/** Returns the text of a regular expression; undefined for anything else. */
function parseExpression(text: string): string | undefined {
  try {
    return new RegExp(text).source === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Returns the text of a time that can be parsed; it counts from the moment when it is used. */
function parseTime(text: string): string | undefined {
  return isMomentForm(text) ? text : undefined;
}

/** Parses a number of lines, or `all`, which is infinite; undefined for anything else. */
export function parseLimit(text: string): number | undefined {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  const lines = Number(text);
  return /^\d+$/.test(text) && lines <= mostLines ? lines : undefined;
}

/** Returns whether live lines follow the earlier ones. */
export function follows({
  follow,
  limit,
  until,
  previous,
}: Pick<LogFlags, 'follow' | 'limit' | 'until' | 'previous'>): boolean {
  return follow ?? (limit === undefined && until === undefined && !previous);
}

/** Returns why flags do not go together; undefined where they do. */
export function findConflict(
  flags: LogFlags,
  { json }: Pick<CommonOptions, 'json'>,
): string | undefined {
  const { output, timestamps } = flags;
  if (json && output !== undefined && output !== 'json')
    return `--json and --output ${output} exclude each other. Give one of them.`;
  if ((json || output === 'json') && timestamps !== undefined)
    return '--timestamps leaves JSON as it is. Use another form, or leave it out.';
  const { ascii, unicode, follow, until, previous, grep, 'invert-match': isInverted } = flags;
  if (ascii && unicode) return '--ascii and --unicode exclude each other. Give one of them.';
  if (follow === true && until !== undefined)
    return '--follow and --until exclude each other. Give one of them.';
  if (follow === true && previous)
    return '--follow and --previous exclude each other. Give one of them.';
  if (isInverted && grep.length === 0) return '--invert-match needs --grep.';
  return undefined;
}

/** Returns the console of a command line that chooses neither the lines nor their form. */
export function openedConsole(
  [open = '', ...others]: readonly string[],
  flags: LogFlags,
  { json, quiet }: Pick<CommonOptions, 'json' | 'quiet'>,
): OpenedConsole | undefined {
  const isGiven = (name: string): boolean => {
    const value: unknown = flags[name as keyof LogFlags];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  };
  if (others.length > 0 || json || quiet || flags.follow === false) return undefined;
  if (Object.keys(printingFlags).some(isGiven)) return undefined;
  return {
    open,
    ascii: flags.ascii,
    unicode: flags.unicode,
    screenReader: flags['screen-reader'],
    restartDelay: flags['restart-delay'],
    logMemory: { maxLines: flags['log-lines'], maxBytes: flags['log-bytes'] },
  };
}
