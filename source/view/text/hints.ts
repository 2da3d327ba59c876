import { cellWidth } from '../../terminal/screen/cells.ts';
import { type Line, span } from './line.ts';

/** A key of the footer with its label. */
export interface FooterKey {
  readonly key: string;
  readonly label: string;
  /** True for the key that is shown however narrow the row is. */
  readonly isFixed?: boolean;
}

/** The keys of a row in order, as many as fit whole, and the fixed ones always. */
export function keysLine(entries: readonly FooterKey[], width: number): Line {
  const widthOf = (entry: FooterKey) => entry.key.length + entry.label.length + 3;
  let room =
    width +
    2 -
    entries.filter((entry) => entry.isFixed).reduce((sum, entry) => sum + widthOf(entry), 0);
  const shown = entries.filter((entry) => {
    if (entry.isFixed === true) return true;
    room -= widthOf(entry);
    return room >= 0;
  });
  return shown.flatMap((entry, index) => [
    span(index === 0 ? '' : '  '),
    span(entry.key, 'info'),
    span(` ${entry.label}`),
  ]);
}

export type Hint = readonly [key: string, label: string];

/**
 * Keys of a row that is not a pane: `Tab  Enter  Esc cancels`. Where there is no room for all, the
 * last ones give way first, `Enter` next to last, and `Esc` never.
 */
export function hintLine(hints: readonly Hint[], width = Number.POSITIVE_INFINITY): Line {
  const isWayOut = ([key]: Hint) => key === 'Esc';
  const isAnswer = ([key]: Hint) => key.endsWith('Enter');
  const others = hints.filter((hint) => !isWayOut(hint) && !isAnswer(hint));
  const byWorth = [...hints.filter(isWayOut), ...hints.filter(isAnswer), ...others];
  const end = byWorth.findIndex((_, index) => widthOfHints(byWorth.slice(0, index + 1)) > width);
  const kept = new Set(end < 0 ? byWorth : byWorth.slice(0, Math.max(1, end)));
  return hints
    .filter((hint) => kept.has(hint))
    .flatMap(([key, label], index) => [
      span(index === 0 ? '' : '  '),
      span(key, 'info'),
      span(label === '' ? '' : ` ${label}`),
    ]);
}

function widthOfHints(hints: readonly Hint[]): number {
  return hints.reduce((sum, hint) => sum + cellWidth(hint.join(' ').trimEnd()) + 2, -2);
}
