/** The flags of logs, and the way in which they work together. */
import { parseSeconds } from '../../contract/restart-delay.ts';
import { consoleFlags } from '../console/commands.ts';
import type { FlagValues, OpenedConsole } from '../table/command-spec.ts';
import type { FlagSpecs } from '../table/described-command.ts';
import type { CommonOptions } from '../table/shared-flags.ts';

/** Most earlier lines that can be counted off. */
const mostLines = 1_000_000;

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
    summary: 'number of earlier lines (100), without live ones unless -f is given',
    expected: `a number of lines from 0 to ${mostLines}, or all`,
    parse: parseLimit,
  },
  service: {
    type: 'value',
    value: 'NAME',
    completes: 'service-name',
    summary: 'only lines of this service',
  },
  search: { type: 'value', value: 'TEXT', summary: 'only lines that contain the text' },
  'history-timeout': {
    type: 'value',
    value: 'SECONDS',
    summary: 'longest wait of live lines for the lines before them (1)',
    expected: 'seconds from 0 to 86400',
    parse: parseSeconds,
  },
  backfill: { type: 'switch', summary: 'also write earlier lines that come after that' },
  plain: { type: 'switch', summary: 'print on a terminal too, instead of opening the console' },
} as const satisfies FlagSpecs;

export const logFlags = { ...printingFlags, ...consoleFlags } as const satisfies FlagSpecs;

export type LogFlags = FlagValues<typeof logFlags>;

/** Parses a number of lines, or `all`, which is infinite; undefined for anything else. */
export function parseLimit(text: string): number | undefined {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  const lines = Number(text);
  return /^\d+$/.test(text) && lines <= mostLines ? lines : undefined;
}

/** Returns whether live lines follow the earlier ones. */
export function follows({ follow, limit }: Pick<LogFlags, 'follow' | 'limit'>): boolean {
  return follow ?? limit === undefined;
}

/** Returns why flags do not go together; undefined where they do. */
export function findConflict({ ascii, unicode }: LogFlags): string | undefined {
  if (ascii && unicode) return '--ascii and --unicode exclude each other. Give one of them.';
  return undefined;
}

/** Returns the console of a command line that chooses neither the lines nor their form. */
export function openedConsole(
  deployment: string,
  flags: LogFlags,
  { json, quiet }: Pick<CommonOptions, 'json' | 'quiet'>,
): OpenedConsole | undefined {
  const isGiven = (name: string): boolean => {
    const value: unknown = flags[name as keyof LogFlags];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  };
  if (json || quiet || flags.follow === false) return undefined;
  if (Object.keys(printingFlags).some(isGiven)) return undefined;
  return {
    open: deployment,
    ascii: flags.ascii,
    unicode: flags.unicode,
    screenReader: flags['screen-reader'],
    restartDelay: flags['restart-delay'],
    logMemory: { maxLines: flags['log-lines'], maxBytes: flags['log-bytes'] },
  };
}
