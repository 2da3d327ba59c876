import { cellWidth } from '../../terminal/screen/cells.ts';
import { type Line, span } from './line.ts';

/** A key of the footer with its label. */
export interface FooterKey {
  readonly key: string;
  readonly label: string;
  /** True for a key that is shown in any width. */
  readonly isFixed?: boolean;
  /** Id of its command, for clicks. */
  readonly command?: string;
}

/** Cells between two keys of a row. */
const keyGap = 2;

/** Returns the cells of a key with its label, and of the gap beside it. */
function widthOf({ key, label }: FooterKey): number {
  return key.length + label.length + 1 + keyGap;
}

/** Draws the keys of a row in order: the fixed ones, and as many others as fit whole. */
export function keysLine(entries: readonly FooterKey[], width: number): Line {
  return fittingKeys(entries, width).flatMap((entry, index) => [
    span(index === 0 ? '' : ' '.repeat(keyGap)),
    span(entry.key, 'info'),
    span(` ${entry.label}`),
  ]);
}

/** Returns the key that {@link keysLine} draws in a cell of the row; undefined between two keys. */
export function keyAt(
  entries: readonly FooterKey[],
  width: number,
  x: number,
): FooterKey | undefined {
  let left = 0;
  for (const entry of fittingKeys(entries, width)) {
    if (x < left) return undefined;
    left += widthOf(entry);
    if (x < left - keyGap) return entry;
  }
  return undefined;
}

function fittingKeys(entries: readonly FooterKey[], width: number): readonly FooterKey[] {
  let room =
    width +
    keyGap -
    entries.filter((entry) => entry.isFixed).reduce((sum, entry) => sum + widthOf(entry), 0);
  return entries.filter((entry) => {
    if (entry.isFixed === true) return true;
    room -= widthOf(entry);
    return room >= 0;
  });
}

export type Hint = readonly [key: string, label: string];

/**
 * Draws the keys of a box or prompt: `Tab  Enter  Esc cancel`. In a narrow row those without a label
 * are dropped first, the last ones before the others, then `Enter`; `Esc` is never dropped.
 */
export function hintLine(hints: readonly Hint[], width = Number.POSITIVE_INFINITY): Line {
  const isEscape = ([key]: Hint) => key === 'Esc';
  const isEnter = ([key]: Hint) => key.endsWith('Enter');
  const others = hints.filter((hint) => !isEscape(hint) && !isEnter(hint));
  const byPriority = [
    ...hints.filter(isEscape),
    ...hints.filter(isEnter),
    ...others.filter(([, label]) => label !== ''),
    ...others.filter(([, label]) => label === ''),
  ];
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
