/** The comparison of patterns as rows. */
import type { ComparedPattern, ComparisonState } from '../../../store/log/patterns/comparison.ts';
import type { SeenPattern } from '../../../store/log/patterns/log-patterns.ts';
import { patternFilter } from '../../../store/log/patterns/pattern-filter.ts';
import { isUtcFormat, type LogTimeFormat, timeOfDayText } from '../../../store/log/times.ts';
import { formatAge } from '../../../store/time/age.ts';
import { formatCount } from '../../text/amount.ts';
import { leftColumn, rightColumn } from '../../text/fit.ts';
import { type Line, span } from '../../text/line.ts';
import { patternToken, rateText, namedSpans, type PatternLook } from './pattern-rows.ts';

/** Cells of the columns before the pattern. */
function columnsOf(width: number) {
  return width < 60
    ? { change: 6, level: 0, before: 0, after: 9 }
    : { change: 7, level: 7, before: 10, after: 10 };
}

export function comparedHeader(width: number): Line {
  const columns = columnsOf(width);
  return [
    span(leftColumn('', columns.change), 'quiet'),
    span(leftColumn('', columns.level), 'quiet'),
    span(rightColumn('before', columns.before), 'quiet'),
    span(rightColumn('after', columns.after), 'quiet'),
    span(' pattern', 'quiet'),
  ];
}

/** Returns the row of a pattern of a comparison, without the cell of the cursor. */
export function comparedRow(
  pattern: SeenPattern,
  width: number,
  { filters, name }: Pick<PatternLook, 'filters' | 'name'>,
): Line {
  if (!isCompared(pattern)) return [];
  const columns = columnsOf(width);
  const { change, level, before, after } = pattern;
  const isMore = change === 'new' || change === 'more';
  const token = isMore ? (patternToken(level) ?? 'info') : 'quiet';
  const isHidden = patternFilter(filters, pattern) === 'hidden';
  return [
    span(leftColumn(isHidden ? 'hidden' : change, columns.change), token),
    span(leftColumn(level ?? '', columns.level), patternToken(level)),
    span(rightColumn(rateText(before), columns.before)),
    span(rightColumn(rateText(after), columns.after)),
    span(' '),
    ...namedSpans(pattern.template, name, isHidden ? 'quiet' : undefined),
  ];
}

/** Returns the sentence in place of the rows. */
export function comparisonNotice(comparison: ComparisonState): string {
  switch (comparison.kind) {
    case 'reading':
    case 'none':
      return 'Comparing...';
    case 'impossible':
      return 'There are no lines with times on both sides of the moment.';
    case 'done':
      return `No pattern differs beyond chance; ${patternCount(comparison.unchanged)} unchanged.`;
  }
}

/** Returns the spans that are compared: `12:01:08: 10m before, 50s after; 31 patterns unchanged`. */
export function comparisonStatus(comparison: ComparisonState, times: LogTimeFormat): Line {
  if (comparison.kind !== 'reading' && comparison.kind !== 'done') return [];
  const { before, after } = comparison;
  const moment = timeOfDayText(after.from, isUtcFormat(times)).slice(0, 8);
  const spans = `${moment}: ${formatAge(before.to - before.from)} before, ${formatAge(after.to - after.from)} after`;
  if (comparison.kind === 'reading') return [span(`${spans}...`)];
  const sampled = comparison.isSampled ? ', sampled' : '';
  return [span(`${spans}; ${patternCount(comparison.unchanged)} unchanged${sampled}`)];
}

function patternCount(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'pattern' : 'patterns'}`;
}

function isCompared(pattern: SeenPattern): pattern is ComparedPattern {
  return 'change' in pattern;
}
