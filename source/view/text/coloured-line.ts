import type { Line, Span } from './line.ts';
import { kindLook } from './theme.ts';
import type { HighlightedLines } from '../../editor/coloured-lines.ts';

/** Returns a line of source text with syntax colours; plain where no highlighting exists. */
export function colouredLine(
  text: string,
  spans: HighlightedLines[number] | undefined,
  indent = '',
): Line {
  const parts: Span[] = [{ text: indent }];
  let at = 0;
  for (const { from, to, kind } of spans ?? []) {
    if (from > at) parts.push({ text: text.slice(at, from) });
    parts.push({ text: text.slice(from, to), ...kindLook(kind) });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}
