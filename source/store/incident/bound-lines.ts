/** Limits the log of an incident, so that the file can be sent and read. */
import type { LogLine } from '../../contract/logs.ts';

export interface LineBounds {
  readonly lines: number;
  /** Characters of the texts of all lines. */
  readonly characters: number;
}

export const incidentBounds: LineBounds = { lines: 500_000, characters: 96 * 1024 * 1024 };

/** Characters that a line takes besides its text. */
const fieldCharacters = 160;

/** Returns the newest lines within the bounds. */
export function boundLines(
  lines: readonly LogLine[],
  { lines: mostLines, characters }: LineBounds = incidentBounds,
): readonly LogLine[] {
  let left = characters;
  let from = lines.length;
  while (from > 0 && lines.length - from < mostLines) {
    left -= (lines[from - 1]?.logLine.length ?? 0) + fieldCharacters;
    if (left < 0) break;
    from -= 1;
  }
  return lines.slice(from);
}
