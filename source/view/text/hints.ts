import { cellWidth } from '../../terminal/screen/cells.ts';
import { type Line, span } from './line.ts';

/** A key of the footer with its label. */
export interface FooterKey {
  readonly key: string;
  readonly label: string;
  /** True for a key that is shown in any width. */
  readonly isFixed?: boolean;
}

/** Draws the keys of a row in order: the fixed ones, and as many others as fit whole. */
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
 * Draws the keys of a box or prompt: `Tab  Enter  Esc cancel`. In a narrow row the last ones are
 * dropped first, then `Enter`; `Esc` is never dropped.
 */
export function hintLine(hints: readonly Hint[], width = Number.POSITIVE_INFINITY): Line {
  const isEscape = ([key]: Hint) => key === 'Esc';
  const isEnter = ([key]: Hint) => key.endsWith('Enter');
  const others = hints.filter((hint) => !isEscape(hint) && !isEnter(hint));
  const byPriority = [...hints.filter(isEscape), ...hints.filter(isEnter), ...others];
  const end = byPriority.findIndex(
    (_, index) => widthOfHints(byPriority.slice(0, index + 1)) > width,
  );
  const shown = new Set(end < 0 ? byPriority : byPriority.slice(0, Math.max(1, end)));
  return hints
    .filter((hint) => shown.has(hint))
    .flatMap(([key, label], index) => [
      span(index === 0 ? '' : '  '),
      span(key, 'info'),
      span(label === '' ? '' : ` ${label}`),
    ]);
}

function widthOfHints(hints: readonly Hint[]): number {
  return hints.reduce((sum, hint) => sum + cellWidth(hint.join(' ').trimEnd()) + 2, -2);
}
