/** The patterns of the opened log as rows. */
import { isUtcFormat, timeOfDayText } from '../../../store/log/times.ts';
import type { LogPatternsState, SeenPattern } from '../../../store/log/patterns/log-patterns.ts';
import { patternFilter } from '../../../store/log/patterns/pattern-filter.ts';
import { formatAge } from '../../../store/time/age.ts';
import type { LineFilter } from '../../../tail/query/line-filters.ts';
import type { LogTimeFormat } from '../../../store/log/times.ts';
import { formatCount, formatRate } from '../../text/amount.ts';
import { leftColumn, rightColumn } from '../../text/fit.ts';
import { type Line, type Span, span } from '../../text/line.ts';
import type { Token } from '../../text/theme.ts';

/** Cells of the columns before the pattern; 0 for one that is not shown. */
export interface PatternColumns {
  readonly state: number;
  readonly lines: number;
  readonly rate: number;
  readonly first: number;
  readonly last: number;
  readonly services: number;
}

/** Returns the columns that a pane of this width has room for. */
export function patternColumns(width: number): PatternColumns {
  return {
    state: width < 60 ? 4 : 11,
    lines: width < 60 ? 7 : 8,
    rate: width < 60 ? 0 : 9,
    first: width < 100 ? 0 : 7,
    last: width < 60 ? 0 : 6,
    services: width < 120 ? 0 : 16,
  };
}

/** State that the row of a pattern depends on besides the pattern. */
export interface PatternLook {
  /** Ms since the epoch. */
  readonly now: number;
  readonly filters: readonly LineFilter[];
  /** The name that a person gave to the pattern. */
  readonly name?: string | undefined;
}

export function patternHeader(columns: PatternColumns): Line {
  return [
    span(leftColumn(columns.state < 5 ? '' : 'level', columns.state), 'quiet'),
    span(rightColumn('lines', columns.lines), 'quiet'),
    span(rightColumn('rate', columns.rate), 'quiet'),
    span(rightColumn('first', columns.first), 'quiet'),
    span(rightColumn('last', columns.last), 'quiet'),
    span(leftColumn('services', columns.services), 'quiet'),
    span(' pattern', 'quiet'),
  ];
}

/** Returns the row of a pattern, without the cell of the cursor. */
export function patternRow(
  pattern: SeenPattern,
  columns: PatternColumns,
  { now, filters, name }: PatternLook,
): Line {
  const { level, services, firstAt, lastAt } = pattern;
  const filter = patternFilter(filters, pattern);
  const words = stateWords(pattern, filter, columns.state < 5);
  const token = filter === 'hidden' ? 'quiet' : patternToken(level);
  return [
    span(leftColumn(words, columns.state), token),
    span(rightColumn(linesText(pattern), columns.lines)),
    span(rightColumn(rateText(pattern.perMinute), columns.rate)),
    span(rightColumn(ageText(firstAt, now), columns.first)),
    span(rightColumn(ageText(lastAt, now), columns.last)),
    span(leftColumn(services.join(' '), columns.services), 'quiet'),
    span(' '),
    ...namedSpans(pattern.template, name, filter === 'hidden' ? 'quiet' : undefined),
  ];
}

/** Returns the name of a pattern, where it has one, and its template. */
export function namedSpans(template: string, name: string | undefined, token?: Token): Line {
  const words = templateSpans(template, token);
  return name === undefined ? words : [span(`${name}: `, 'mark'), ...words];
}

/** Returns the times and services of a pattern, and an example, in this many rows. */
export function patternFacts(
  { firstAt, lastAt, services, example }: SeenPattern,
  rows: number,
  { now, times }: { readonly now: number; readonly times: LogTimeFormat },
): readonly Line[] {
  const utc = isUtcFormat(times);
  const time = (name: string, at: number | undefined): readonly string[] =>
    at === undefined
      ? []
      : [`${name} ${timeOfDayText(at, utc).slice(0, 8)} (${ageText(at, now)} ago)`];
  const facts = [
    ...time('first', firstAt),
    ...time('last', lastAt),
    ...(services.length === 0 ? [] : [services.join(' ')]),
  ];
  return [[span(` ${facts.join('  ')}`, 'quiet')], [span(` ${example}`)]].slice(0, rows);
}

/** Returns a pattern in words, for the voice. */
export function patternSaid(pattern: SeenPattern, { now, filters, name }: PatternLook): string {
  const { template, level, isNew, perMinute, lastAt } = pattern;
  const filter = patternFilter(filters, pattern);
  return [
    ...(name === undefined ? [] : [name]),
    template.replaceAll('<#>', 'number').replaceAll('<*>', 'any'),
    ...(filter === undefined ? [] : [filter]),
    ...('change' in pattern ? [String(pattern.change)] : []),
    ...(isNew ? ['new'] : []),
    ...(level === undefined ? [] : [level]),
    linesText(pattern) === '1' ? '1 line' : `${linesText(pattern)} lines`,
    ...(perMinute === 0 ? [] : [rateText(perMinute)]),
    ...(lastAt === undefined ? [] : [`last ${ageText(lastAt, now)} ago`]),
  ].join(', ');
}

/** Returns what the counts leave out: `sampled, 3 % read`. */
export function patternRest({ lines, read, dropped, lost }: LogPatternsState): string {
  const share = Math.max(1, Math.round((100 * read) / Math.max(1, lines + dropped)));
  return [
    ...(Math.round(lines + dropped) > read ? [`sampled, ${share} % read`] : []),
    ...(dropped > 0 ? [`${formatCount(Math.round(dropped))} lines of rare patterns left out`] : []),
    ...(lost > 0 ? [`${formatCount(lost)} lines unread`] : []),
  ].join('; ');
}

function stateWords(
  { level, isNew }: SeenPattern,
  filter: 'shown' | 'hidden' | undefined,
  isShort: boolean,
): string {
  const levelWord = level ?? '';
  if (isShort) {
    const sign = filter === 'hidden' ? 'x' : filter === 'shown' ? '&' : isNew ? '+' : ' ';
    return `${levelWord.slice(0, 1).toUpperCase()}${sign}`;
  }
  if (filter !== undefined) return filter === 'hidden' ? 'hidden' : 'filter';
  return [isNew ? 'new' : '', levelWord].filter((word) => word !== '').join(' ');
}

export function patternToken(level: SeenPattern['level']): Token | undefined {
  return level === undefined ? undefined : level === 'error' ? 'bad' : 'busy';
}

function linesText({ lines, isEstimate }: SeenPattern): string {
  return `${isEstimate ? '~' : ''}${formatRate(lines)}`;
}

/** Formats lines a minute: `40/min`, `0.4/min`. */
export function rateText(perMinute: number): string {
  if (perMinute === 0) return '-';
  const rounded = perMinute < 9.95 ? Math.max(0.1, Number(perMinute.toFixed(1))) : perMinute;
  return `${perMinute < 9.95 ? rounded : formatRate(Math.round(perMinute))}/min`;
}

function ageText(at: number | undefined, now: number): string {
  return at === undefined ? '-' : formatAge(now - at);
}

/** Draws the values that a template stands for apart from its words. */
function templateSpans(template: string, token?: Token): readonly Span[] {
  return template
    .split(/(<[#*]>)/)
    .filter((part) => part !== '')
    .map((part) => (/^<[#*]>$/.test(part) ? span(part, 'info') : span(part, token)));
}
