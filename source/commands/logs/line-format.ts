/** The forms in which lines of a log are printed. */
import { styleText } from 'node:util';
import { stripSilentCodes } from '../../tail/silent-codes.ts';
import type { LogLine } from '../../contract/logs.ts';
import { formatJsonLine, oneLineText, sourceText } from '../../store/log/format.ts';
import { dateTimeText } from '../../store/log/times.ts';
import { formatAge } from '../../store/time/age.ts';
import { levelOf, lineLevel } from '../../tail/level.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { LogForm, TimestampForm } from './log-flags.ts';

type Style = Parameters<typeof styleText>[0];

/** A name in a colour of its own, padded to the width of the others. */
export interface LineLabel {
  readonly text: string;
  readonly style: Style;
}

export interface LineFormatOptions {
  readonly form: LogForm;
  /** Times of the lines; undefined for those that the service sends, and for none in `raw`. */
  readonly timestamps?: TimestampForm | undefined;
  /** Id of the deployment, for records that lack it. */
  readonly id: string;
  /** Name of the deployment, before each line of text, where there are several. */
  readonly label?: LineLabel | undefined;
  readonly isColoured?: boolean | undefined;
  /** Whether to make escape sequences visible, for a terminal. */
  readonly isVisible?: boolean | undefined;
  /** Returns the time to which relative times refer, ms since the epoch. */
  readonly now: () => number;
}

export interface LineFormat {
  /** True where a message of the contract is printed as it came. */
  readonly copiesMessages: boolean;
  /** Returns a line with its end. */
  format(line: LogLine): string;
}

export function createLineFormat(options: LineFormatOptions): LineFormat {
  const { form, id, isVisible = false } = options;
  const visible = (text: string): string => (isVisible ? sanitize(text, { tab: 'keep' }) : text);
  const formats: Readonly<Record<LogForm, (line: LogLine) => string>> = {
    text: (line) => textLine(line, options, visible),
    json: (line) => visible(formatJsonLine(line, id).slice(0, -1)),
    logfmt: (line) => visible(logfmtLine(line, options)),
    raw: (line) => rawLine(line, options, visible),
  };
  const format = formats[form];
  return {
    copiesMessages: form === 'json' && !isVisible,
    format: (line) => `${format(line)}\n`,
  };
}

/** Returns time, source and text in columns; a missing field is `-`. */
function textLine(
  line: LogLine,
  options: LineFormatOptions,
  visible: (text: string) => string,
): string {
  const { isColoured = false, isVisible = false, label } = options;
  const text = isVisible ? stripSilentCodes(line.logLine) : line.logLine;
  const time = timeText(line, options.timestamps, options.now);
  const source = visible(oneLineText(sourceText(line) ?? '-'));
  const columns = [
    ...(label === undefined ? [] : [styled(label.text, label.style, isColoured)]),
    ...(time === undefined ? [] : [styled(visible(oneLineText(time)), 'dim', isColoured)]),
    styled(source, isColoured ? sourceStyle(line) : 'dim', isColoured),
  ];
  return `${columns.join(' ')}  ${visible(oneLineText(text))}`;
}

/** Returns the text as the service wrote it, of several lines where it has line breaks. */
function rawLine(
  { logLine, ...line }: LogLine,
  { timestamps = 'none', now }: LineFormatOptions,
  visible: (text: string) => string,
): string {
  const time = timeText({ logLine, ...line }, timestamps, now);
  const text = logLine.split('\n').map(visible).join('\n');
  return time === undefined ? text : `${visible(time)} ${text}`;
}

function logfmtLine(line: LogLine, { id, timestamps, now }: LineFormatOptions): string {
  const { deploymentId = id, serviceName, stream, instance, logLine } = line;
  const time = line.timestamp === undefined ? undefined : timeText(line, timestamps, now);
  return formatLogfmt([
    ['time', time],
    ['level', lineLevel(logLine)],
    ['deployment', deploymentId],
    ['service', serviceName],
    ['instance', instance?.toString()],
    ['stream', stream],
    ['id', line.id?.toString()],
    ['partial', line.partial === true ? 'true' : undefined],
    ['msg', logLine],
  ]);
}

/** Returns the time of a line; undefined where none is wanted. A time that can't be read stays. */
function timeText(
  { timestamp = '-' }: LogLine,
  form: TimestampForm | undefined,
  now: () => number,
): string | undefined {
  if (form === 'none') return undefined;
  const at = Date.parse(timestamp);
  if (form === undefined || Number.isNaN(at)) return timestamp;
  return form === 'relative' ? formatAge(now() - at) : dateTimeText(at, form === 'utc');
}

function sourceStyle({ logLine }: LogLine): Style {
  const level = levelOf(logLine);
  if (level === undefined) return 'cyan';
  return level === 'error' ? 'red' : 'yellow';
}

function styled(text: string, style: Style, isColoured: boolean): string {
  return isColoured ? styleText(style, text, { validateStream: false }) : text;
}

/** Writes records as logfmt: `key=value` pairs between spaces. Pure. */

/** Text that needs no quotes: printable, without blanks, quotes, backslashes and `=`. */
const bare = /^[^\s"=\\\p{C}]+$/u;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Returns a record as a line without its end, with its pairs in order. A pair without a value is left
 * out; quoted values are escaped like strings of JSON.
 */
export function formatLogfmt(pairs: readonly (readonly [string, string | undefined])[]): string {
  return pairs
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${logfmtValue(value)}`]))
    .join(' ');
}

function logfmtValue(value: string): string {
  if (bare.test(value)) return value;
  const escaped = value.replaceAll(/["\\]|[\p{Cc}\u2028\u2029]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return named[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}
