import { ownProperty } from '../stored/stored-line.ts';
import type { SeenPattern } from './log-patterns.ts';

/** Orders of the patterns, in the order in which a key steps through them. */
const orderNames = ['attention', 'lines', 'rate', 'last seen', 'first seen'] as const;

export interface PatternOrder {
  readonly by: (typeof orderNames)[number];
  readonly isReversed: boolean;
}

export const firstPatternOrder: PatternOrder = { by: 'attention', isReversed: false };

export function nextPatternOrder({ by }: PatternOrder): PatternOrder {
  const next = orderNames[(orderNames.indexOf(by) + 1) % orderNames.length] ?? 'attention';
  return { by: next, isReversed: false };
}

export function isFirstOrder({ by, isReversed }: PatternOrder): boolean {
  return by === firstPatternOrder.by && isReversed === firstPatternOrder.isReversed;
}

/** Parses a stored order; undefined for an invalid one. */
export function readPatternOrder(stored: unknown): PatternOrder | undefined {
  const by = orderNames.find((name) => name === ownProperty(stored, 'by'));
  return by && { by, isReversed: ownProperty(stored, 'isReversed') === true };
}

type Comparison = (one: SeenPattern, other: SeenPattern) => number;

/** The urgency of each level. */
const urgencies = { error: 2, warn: 1 } as const;

function urgency({ level, isNew }: SeenPattern): number {
  return 2 * (level === undefined ? 0 : urgencies[level]) + (isNew ? 1 : 0);
}

const comparisons: Readonly<Record<PatternOrder['by'], Comparison>> = {
  attention: (one, other) => urgency(other) - urgency(one) || other.perMinute - one.perMinute,
  lines: (one, other) => other.lines - one.lines,
  rate: (one, other) => other.perMinute - one.perMinute,
  'last seen': (one, other) => (other.lastAt ?? 0) - (one.lastAt ?? 0),
  'first seen': (one, other) => (other.firstAt ?? 0) - (one.firstAt ?? 0),
};

/** Returns patterns in an order: errors before warnings, new ones first, and then those with more lines. */
export function sortPatterns(
  patterns: readonly SeenPattern[],
  { by, isReversed }: PatternOrder,
): readonly SeenPattern[] {
  const sorted = patterns.toSorted(
    (one, other) => comparisons[by](one, other) || other.lines - one.lines || one.id - other.id,
  );
  return isReversed ? sorted.toReversed() : sorted;
}
