/**
 * Finds the time zone that the variable TZ means. Node reads the names of zones alone: a path or a rule
 * of POSIX would silently give other times.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { formatPlainText } from '../contract/sdl/shown-text.ts';
import type { ConfigProblem } from './environment.ts';

/** Folders of the zones of a system. */
const zoneFolders = ['/usr/share/zoneinfo', '/var/db/timezone/zoneinfo', '/usr/lib/zoneinfo'];

type FoundZone =
  /** Node reads the text correctly. */
  | { readonly kind: 'read' }
  /** Node must be given this name instead. */
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'unknown' };

/**
 * Lets this process, and what it starts, use the zone that TZ means, where Node doesn't read its form.
 * Must run before the first local time.
 */
export function applyTimeZone(env: NodeJS.ProcessEnv): void {
  const zone = findTimeZone(env['TZ'] ?? '');
  if (zone.kind === 'named') env['TZ'] = zone.name;
}

/** Returns the problem of a TZ without a known zone; undefined where local times follow TZ. */
export function timeZoneProblem(env: NodeJS.ProcessEnv): ConfigProblem | undefined {
  const { TZ: text = '' } = env;
  if (findTimeZone(text).kind !== 'unknown') return undefined;
  const used = offsetText(offsetNow());
  return {
    sentence: `TZ is ${formatPlainText(text)}, which isn't a known time zone. Times are ${used}.`,
    next: 'Set it to a name like Europe/Berlin.',
  };
}

/** Returns the name of the zone of local times, for people. */
export function timeZoneName(): string {
  const name = Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
  return name === undefined || name === 'Etc/Unknown' ? offsetText(offsetNow()) : name;
}

/** Finds the zone that a text means, as POSIX and glibc read it: `:` may come before a name or a path. */
export function findTimeZone(text: string): FoundZone {
  if (text === '') return { kind: 'read' };
  const plain = text.replace(/^:/, '');
  const name = path.isAbsolute(plain) ? zoneOfFile(plain) : zoneOfName(plain);
  if (name !== undefined) return name === text ? { kind: 'read' } : { kind: 'named', name };
  return path.isAbsolute(plain) ? { kind: 'unknown' } : findRule(plain);
}

/** Returns the name as Node reads it; undefined where no zone has it. */
function zoneOfName(text: string): string | undefined {
  const name = text.replace(/^(?:posix|right)\//, '');
  // An offset such as +02:00 isn't a name: POSIX would count it to the west.
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/.test(name)) return undefined;
  // The first use of Intl takes longer than all else here.
  const isZone = name !== 'localtime';
  if (isZone && zoneFolders.some((folder) => existsSync(path.join(folder, name)))) return name;
  try {
    const { timeZone } = Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // Old names are replaced there, but Node reads them.
    return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
  } catch {
    return undefined;
  }
}

/** Returns the zone of a file: by its place, by the place that it links to, or by its rule. */
function zoneOfFile(file: string): string | undefined {
  try {
    for (const place of [file, realpathSync(file)]) {
      const [, name = ''] = /\/zoneinfo\/(.+)$/.exec(place) ?? [];
      const zone = zoneOfName(name);
      if (zone !== undefined) return zone;
    }
    const rule = findRule(footerOf(file));
    return rule.kind === 'named' ? rule.name : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the last line of a file of a zone (RFC 9636, 3.3): the rule of the times to come. */
function footerOf(file: string): string {
  return /\n([^\n]*)\n$/.exec(readFileSync(file, 'latin1'))?.[1] ?? '';
}

/** Seconds of a rule of POSIX (XBD 8.3): to the east of UTC, and the changes of a year. */
interface ZoneRule {
  readonly standard: number;
  /** Summer time and the days of its changes; undefined where there is none. */
  readonly summer: string | undefined;
}

function findRule(text: string): FoundZone {
  const rule = parseRule(text);
  if (rule === undefined) return { kind: 'unknown' };
  const { standard, summer } = rule;
  const hours = standard / 3600;
  if (summer === undefined && Number.isInteger(hours)) {
    if (process.env['TZ'] === text && offsetNow() === standard) return { kind: 'read' };
    // The names of these zones count to the west, as POSIX does.
    const name = hours === 0 ? 'Etc/UTC' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
    return { kind: 'named', name };
  }
  const name = zoneNames().find(({ folder, zone }) => {
    const other = parseRule(footerOf(path.join(folder, zone)));
    return other?.standard === standard && other.summer === summer;
  })?.zone;
  return name === undefined ? { kind: 'unknown' } : { kind: 'named', name };
}

/** Returns the zones of this system by its table; none where it has none. */
function zoneNames(): readonly { readonly folder: string; readonly zone: string }[] {
  for (const folder of zoneFolders) {
    for (const table of ['zone1970.tab', 'zone.tab']) {
      try {
        const lines = readFileSync(path.join(folder, table), 'utf8').split('\n');
        return lines
          .filter((line) => line !== '' && !line.startsWith('#'))
          .map((line) => ({ folder, zone: line.split('\t')[2] ?? '' }));
      } catch {
        continue;
      }
    }
  }
  return [];
}

const zoneWord = '(?:[A-Za-z]{3,}|<[A-Za-z0-9+-]{3,}>)';
const zoneSpan = '[+-]?\\d{1,3}(?::\\d{2}){0,2}';
const zoneDay = '(?:M\\d{1,2}\\.\\d\\.\\d|J?\\d{1,3})';
const ruleForm = new RegExp(
  `^${zoneWord}(${zoneSpan})(?:${zoneWord}(${zoneSpan})?(?:,(${zoneDay})(?:/(${zoneSpan}))?,(${zoneDay})(?:/(${zoneSpan}))?)?)?$`,
);
const onlyStandard = new RegExp(`^${zoneWord}${zoneSpan}$`);

/** Days of a rule that names none, as glibc has them. */
const defaultDays = ['M3.2.0', 'M11.1.0'] as const;

/** Hour of a change, where the rule names none. */
const defaultChange = '2';

function parseRule(text: string): ZoneRule | undefined {
  const match = ruleForm.exec(text);
  if (match === null) return undefined;
  const [, offset = '', summerOffset, from, fromTime, to, toTime] = match;
  const standard = -secondsOf(offset);
  if (onlyStandard.test(text)) return { standard, summer: undefined };
  const summer = summerOffset === undefined ? standard + 3600 : -secondsOf(summerOffset);
  const days = [from ?? defaultDays[0], fromTime, to ?? defaultDays[1], toTime];
  const [first, firstTime, last, lastTime] = days;
  const at = (time: string | undefined): number => secondsOf(time ?? defaultChange);
  return {
    standard,
    summer: `${summer} ${first} ${at(firstTime)} ${last} ${at(lastTime)}`,
  };
}

function secondsOf(span: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = span.replace(/^[+-]/, '').split(':').map(Number);
  return (span.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60 + seconds);
}

/** Returns the seconds by which local times are ahead of UTC now. */
function offsetNow(): number {
  return -new Date().getTimezoneOffset() * 60;
}

function offsetText(seconds: number): string {
  if (seconds === 0) return 'UTC';
  const minutes = Math.abs(seconds) / 60;
  const parts = [Math.trunc(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `UTC${seconds < 0 ? '-' : '+'}${parts.join(':')}`;
}
