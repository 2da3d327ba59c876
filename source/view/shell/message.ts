import { keyName } from '../../store/prompts/key-names.ts';
import { isMessageShown, type Message } from '../../store/deck/screen/message.ts';
import type { Reach } from '../../store/lists/reach.ts';
import { formatWait } from '../../store/time/age.ts';
import { fitLine, headOfLine, lineWidth, wrapWords } from '../text/fit.ts';
import { type Line, plain, span } from '../text/line.ts';

/** Returns how all messages are opened; in an open file, `:` is typed into it. */
export function historyHint(isTyping: boolean): string {
  return isTyping ? `${keyName('app.palette', 'F2')} history` : ':history';
}

/**
 * Returns the message row of `width` cells: the last message, otherwise the notice of an unreachable
 * service. A message disappears after 5 s, an error on Esc, and what is being done when it is over. The
 * notice follows a message if it fits.
 */
export function messageLine(
  message: Message | undefined,
  reach: Reach,
  now: number,
  width = 0,
  hint = historyHint(false),
): Line {
  if (message !== undefined && isMessageShown(message, now)) {
    const { text, tone, unread } = message;
    const styled = tone === 'plain' ? plain(text) : [span(text, tone)];
    const line =
      unread === undefined ? styled : [...styled, span(` ${unread} more: ${hint}`, 'bad')];
    if (reach.kind !== 'away') return line;
    const { error, since } = reach;
    const wait = `No answer for ${formatWait(now - since)}.`;
    const whole = [...line, span(` ${error.status === undefined ? wait : error.sentence}`, 'bad')];
    return lineWidth(whole) <= width ? whole : line;
  }
  if (reach.kind !== 'away') return [];
  const { error, since } = reach;
  if (error.status !== undefined) {
    const whole = `${error.sentence} ${error.next}`.trimEnd();
    return [span(whole.length <= width ? whole : error.sentence, 'bad')];
  }
  const wait = `No answer for ${formatWait(now - since)}.`;
  const whole = `${wait} Reading and editing work; nothing is sent. ${keyName('app.refetch-anywhere', 'F5')} retries.`;
  return [
    span(
      whole.length <= width ? whole : `${wait} ${keyName('app.refetch-anywhere', 'F5')} retries.`,
      'bad',
    ),
  ];
}

/** Milliseconds for which a long message may cover the keys. */
const longestCover = 10_000;

/** Columns from which a cut message says where it can be read. */
const pointsFrom = 40;

/** Returns whether a message may continue in the row of the keys; the notice of an unreachable service never. */
export function coversKeys(message: Message | undefined, now: number): boolean {
  return message !== undefined && now - message.at < longestCover;
}

/** Wraps a message into a row of `width` cells and, if it does not fit and may cover the keys, a second row. */
export function messageRows(
  message: Line,
  width: number,
  mayCover = true,
  hint = historyHint(false),
): readonly [Line, Line?] {
  if (!mayCover && lineWidth(message) > width) {
    if (width < pointsFrom) return [fitLine(message, width)];
    return [[...fitLine(message, width - hint.length - 1), span(` ${hint}`, 'quiet')]];
  }
  const [first = [], second, ...more] = wrapWords(headOfLine(message, 3 * width), width);
  if (second === undefined) return [first];
  return [first, [second, ...more].flatMap((row) => row.concat(span(' ')))];
}
